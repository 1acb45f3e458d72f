-- release-of-any-tenure.lua: a broken release.lua for the tests: it does not ask which hold of the owner it meets.
--   KEYS and ARGV as in release.lua
-- Returns what release.lua returns.
local lock, owner, tenure, holds = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

if redis.call('HEXISTS', lock, owner) == 0 then
  return 0
end
if holds > 0 then
  redis.call('HSET', lock, owner, holds)
else
  redis.call('DEL', lock)
  redis.call('PUBLISH', ARGV[4], '0')
end
return tenure
