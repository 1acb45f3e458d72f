-- handoff-of-any-tenure.lua: a broken handoff.lua for the tests: it does not ask which hold of the owner it passes on.
--   KEYS and ARGV as in handoff.lua
-- Returns what handoff.lua returns.
local lock, owner, tenure, lease, from = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]

if redis.call('HEXISTS', lock, from) == 0 then
  return tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
end
redis.call('HSET', lock, owner, 1, owner .. ':tenure', tenure)
redis.call('HDEL', lock, from, from .. ':tenure')
redis.call('PEXPIRE', lock, lease)
return tenure
