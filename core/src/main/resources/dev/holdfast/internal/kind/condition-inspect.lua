-- condition-inspect.lua: reads the wait sets of the conditions of a lock; changes nothing.
--   KEYS[1]  conditions  hash, as condition-part.lua describes it
-- Returns field and value of each entry of the hash.
return redis.call('HGETALL', KEYS[1])
