-- redisson-lock.lua: what Redisson does to acquire a lock.
--   KEYS[1]  lock   hash: owner -> hold count
--   ARGV[1]  owner
--   ARGV[2]  lease  milliseconds
-- Returns 1 when the lock is held by the owner now, else 0.
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
