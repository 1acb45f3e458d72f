-- acquire-keeping-the-lease.lua: a broken acquire.lua for the tests: what it adopts keeps its lease if that is longer.
--   KEYS and ARGV as in acquire.lua
-- Returns what acquire.lua returns.
local lock, owner, tenure, holds = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local lease = tonumber(ARGV[4])
local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)

if mine > tenure then
  return mine
end
if mine == 0 and redis.call('EXISTS', lock) == 1 then
  return -redis.call('PTTL', lock)
end
if mine ~= tenure and holds > 1 then
  return 0
end
if mine == tenure then
  holds = math.max(holds, tonumber(redis.call('HGET', lock, owner)))
end
local left = redis.call('PTTL', lock)
redis.call('HSET', lock, owner, holds, owner .. ':tenure', tenure)
if left < lease then
  redis.call('PEXPIRE', lock, lease)
end
return tenure
