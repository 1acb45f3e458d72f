-- redisson-unlock.lua: what Redisson does to release a lock that was acquired once.
--   KEYS[1]  lock     hash: owner -> hold count
--   ARGV[1]  owner
--   ARGV[2]  channel  on which releases are published
-- Returns 1 when the lock was held by the owner, else 0.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[2], '0')
return 1
