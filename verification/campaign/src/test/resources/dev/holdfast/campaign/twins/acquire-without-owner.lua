-- acquire-without-owner.lua: acquire.lua, but re-enters an existing lock of any owner.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('EXISTS', lock) == 0 then
  redis.call('HSET', lock, 'token', redis.call('INCR', KEYS[2]))
end
redis.call('HSET', lock, owner, ARGV[3], owner .. ':tenure', ARGV[2])
redis.call('PEXPIRE', lock, ARGV[4])
return {1, tonumber(redis.call('HGET', lock, 'token'))}
