-- renew.lua: renews the lease.
--   KEYS[1]  lock     hash: owner -> holds, owner:tenure -> tenure, token -> token
--   ARGV[1]  owner
--   ARGV[2]  tenure   the number of the hold to renew
--   ARGV[3]  lease    milliseconds
-- Returns {1} if the lock is held with this tenure, else {0}.
if redis.call('HGET', KEYS[1], ARGV[1] .. ':tenure') ~= ARGV[2] then
  return {0}
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
