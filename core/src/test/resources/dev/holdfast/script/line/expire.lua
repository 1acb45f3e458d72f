-- expire.lua: the lease of the lock runs out.
--   KEYS[1]  lock
-- Returns 0.
redis.call('PEXPIRE', KEYS[1], 0)
return 0
