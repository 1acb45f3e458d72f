-- guarded-count.lua: counts a write, unless one with a newer token came before it.
--   KEYS[1]  resource  hash: token -> the newest token seen, writes -> how many were taken
--   ARGV[1]  token     the token of the writer's hold, > 0
-- Returns how many writes were taken, this one included, or 0 when it was refused.
local resource, token = KEYS[1], tonumber(ARGV[1])
if token < tonumber(redis.call('HGET', resource, 'token') or '0') then
    return 0
end
redis.call('HSET', resource, 'token', ARGV[1])
return redis.call('HINCRBY', resource, 'writes', 1)
