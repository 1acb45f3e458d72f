-- release.lua: gives back one hold of several, or the lock, and then tells those who wait.
--   KEYS[1]  lock     hash: owner -> holds, owner:tenure -> tenure, token -> token
--   ARGV[1]  owner
--   ARGV[2]  tenure   the hold that is given back
--   ARGV[3]  holds    the count after this call
--   ARGV[4]  channel  where a release is announced
-- Returns {1} when it was held, {0} when it was not.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HGET', lock, owner .. ':tenure') ~= ARGV[2] then
  return {0}
end
if tonumber(ARGV[3]) > 0 then
  redis.call('HSET', lock, owner, ARGV[3])
else
  redis.call('DEL', lock)
  redis.call('PUBLISH', ARGV[4], '0')
end
return {1}
