-- release-granting.lua: grants the lock to the owner in line, and tells that owner alone, or releases it.
--   KEYS[1]  lock     as in acquire-in-line.lua
--   ARGV[1]  owner
--   ARGV[2]  tenure   the number of the hold to release
--   ARGV[3]  lease    of the hold that is granted, in milliseconds
--   ARGV[4]  channel  that of an owner is "<channel><owner>": "<owner> <tenure>" has been granted the lock
-- Returns {1} if the lock was held with this tenure, else {0}.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HGET', lock, owner .. ':tenure') ~= ARGV[2] then
  return {0}
end
local entry = redis.call('HGET', lock, 'line')
redis.call('DEL', lock)
if entry then
  local to, tenure = entry:match('^(%S+) (%d+)$')
  redis.call('HSET', lock, to, 1, to .. ':tenure', tenure)
  redis.call('PEXPIRE', lock, ARGV[3])
  redis.call('PUBLISH', ARGV[4] .. to, entry)
end
return {1}
