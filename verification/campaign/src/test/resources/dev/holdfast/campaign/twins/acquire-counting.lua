-- acquire-counting.lua: acquire.lua, but increments the count each time it runs.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HEXISTS', lock, owner) == 0 then
  local left = redis.call('PTTL', lock)
  if left ~= -2 then
    return {0, left}
  end
  redis.call('HSET', lock, 'token', redis.call('INCR', KEYS[2]))
end
redis.call('HINCRBY', lock, owner, 1)
redis.call('HSET', lock, owner .. ':tenure', ARGV[2])
redis.call('PEXPIRE', lock, ARGV[4])
return {1, tonumber(redis.call('HGET', lock, 'token'))}
