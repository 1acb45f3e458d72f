-- close-after-leaving-the-tenure.lua: a broken close-after.lua for the tests: the lock is left with the tenure of the hold.
--   KEYS and ARGV as in close-after.lua
-- Returns what close-after.lua returns.
if redis.call('HGET', KEYS[1], ARGV[1] .. ':tenure') ~= ARGV[2] then
  return 0
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return tonumber(ARGV[2])
