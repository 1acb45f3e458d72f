-- renew.lua: begins the lease anew.
--   KEYS[1]  lock     hash: owner -> holds, owner:tenure -> tenure, token -> token
--   ARGV[1]  owner
--   ARGV[2]  tenure   the hold that is renewed
--   ARGV[3]  lease    milliseconds
-- Returns {1} when it is held, {0} when it is not.
if redis.call('HGET', KEYS[1], ARGV[1] .. ':tenure') ~= ARGV[2] then
  return {0}
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
