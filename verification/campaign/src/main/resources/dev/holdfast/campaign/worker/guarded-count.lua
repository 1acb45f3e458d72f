-- guarded-count.lua: counts a write, unless one with a larger token was accepted before.
--   KEYS[1]  resource  hash: token -> the largest token seen, writes -> the number accepted
--   ARGV[1]  token     the token of the writer's hold, > 0
-- Returns the number of accepted writes, this one included, or 0 if it was refused.
local resource, token = KEYS[1], tonumber(ARGV[1])
if token < tonumber(redis.call('HGET', resource, 'token') or '0') then
    return 0
end
redis.call('HSET', resource, 'token', ARGV[1])
return redis.call('HINCRBY', resource, 'writes', 1)
