-- acquire-counting.lua: a broken acquire.lua for the tests: it counts up where it should set the count.
--   KEYS and ARGV as in acquire.lua
-- Returns what acquire.lua returns.
local lock, owner, tenure, lease = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[4]
local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)

if mine > tenure then
  return mine
end
if mine == 0 and redis.call('EXISTS', lock) == 1 then
  return -redis.call('PTTL', lock)
end
if mine ~= tenure and tonumber(ARGV[3]) > 1 then
  return 0
end
if mine ~= tenure then
  redis.call('HSET', lock, owner, 0, owner .. ':tenure', tenure)
end
redis.call('HINCRBY', lock, owner, 1)
if mine ~= tenure or redis.call('PTTL', lock) < tonumber(lease) then
  redis.call('PEXPIRE', lock, lease)
end
return tenure
