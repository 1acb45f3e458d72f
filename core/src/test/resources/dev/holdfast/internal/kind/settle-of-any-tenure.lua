-- settle-of-any-tenure.lua: a broken settle.lua for the tests: it does not ask which hold of the owner was released.
--   KEYS and ARGV as in settle.lua
-- Returns what settle.lua returns.
local lock, owner, tenure, holds, lease, from = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[6]

if redis.call('HEXISTS', lock, from) == 0 then
  return tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
end
redis.call('HSET', lock, owner, holds, owner .. ':tenure', tenure)
redis.call('HDEL', lock, from, from .. ':tenure')
redis.call('PEXPIRE', lock, lease)
return tenure
