-- acquire.lua: acquires or re-enters the lock, or returns how long to wait.
--   KEYS[1]  lock     hash: owner -> holds, owner:tenure -> tenure, token -> token
--   KEYS[2]  tokens   counts acquisitions
--   ARGV[1]  owner
--   ARGV[2]  tenure   the number of this hold
--   ARGV[3]  holds    the count after this call
--   ARGV[4]  lease    milliseconds
-- Returns {1, token} if the lock is held after this call, {0, milliseconds left} if another owner has it.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HEXISTS', lock, owner) == 0 then
  local left = redis.call('PTTL', lock)
  if left ~= -2 then
    return {0, left}
  end
  redis.call('HSET', lock, 'token', redis.call('INCR', KEYS[2]))
end
redis.call('HSET', lock, owner, ARGV[3], owner .. ':tenure', ARGV[2])
redis.call('PEXPIRE', lock, ARGV[4])
return {1, tonumber(redis.call('HGET', lock, 'token'))}
