-- inspect.lua: reads the state of a lock; changes nothing.
--   KEYS[1]  lock  hash: owner -> hold count, owner:tenure -> tenure, client:label -> label
-- Returns the milliseconds left of the lease, -1 when it has no end, -2 when no owner holds the lock,
--         followed by field and value of each entry of the hash.
local lock = KEYS[1]
local seen = redis.call('HGETALL', lock)
table.insert(seen, 1, redis.call('PTTL', lock))
return seen
