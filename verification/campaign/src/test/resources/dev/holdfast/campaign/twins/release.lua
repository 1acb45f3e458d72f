-- release.lua: releases one level of several, or the lock, and then publishes that to the waiters.
--   KEYS[1]  lock     hash: owner -> holds, owner:tenure -> tenure, token -> token
--   ARGV[1]  owner
--   ARGV[2]  tenure   the number of the hold to release
--   ARGV[3]  holds    the count after this call
--   ARGV[4]  channel  the channel of the release message
-- Returns {1} if the lock was held with this tenure, else {0}.
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
