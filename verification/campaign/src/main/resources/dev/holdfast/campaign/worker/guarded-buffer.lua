-- guarded-buffer.lua: looks at a buffer, or writes it as its holder wants it, unless a larger token was used before.
--   KEYS[1]  buffer  hash: token -> the largest token seen, put, taken -> the numbers of items put and taken
--   ARGV[1]  token   the token of the holder, > 0
--   ARGV[2]  put     to be written; missing for a look
--   ARGV[3]  taken   the same
-- Returns both numbers, or nothing if it was refused.
local buffer, token = KEYS[1], tonumber(ARGV[1])
if token < tonumber(redis.call('HGET', buffer, 'token') or '0') then
    return {}
end
redis.call('HSET', buffer, 'token', ARGV[1])
if ARGV[2] then
    redis.call('HSET', buffer, 'put', ARGV[2], 'taken', ARGV[3])
end
local put, taken = redis.call('HGET', buffer, 'put'), redis.call('HGET', buffer, 'taken')
return {tonumber(put or '0'), tonumber(taken or '0')}
