-- hand-off.lua: passes the lock on from one owner to another.
--   KEYS[1]  lock     hash: owner -> holds, owner:tenure -> tenure, token -> token
--   ARGV[1]  owner
--   ARGV[2]  tenure   the number of the hold to pass on
--   ARGV[3]  next     the owner that gets the lock
--   ARGV[4]  number   the number of its hold
--   ARGV[5]  lease    milliseconds
-- Returns {1} if the lock was held with this tenure, else {0}.
local lock, owner, next = KEYS[1], ARGV[1], ARGV[3]
if redis.call('HGET', lock, owner .. ':tenure') ~= ARGV[2] then
  return {0}
end
redis.call('HDEL', lock, owner, owner .. ':tenure')
redis.call('HSET', lock, next, '1', next .. ':tenure', ARGV[4])
redis.call('PEXPIRE', lock, ARGV[5])
return {1}
