-- rw-inspect.lua: reads the state of a read-write lock; changes nothing.
--   KEYS[1]  lock  hash, as rw-acquire.lua describes it
-- Returns the milliseconds left of the lease, -1 when it has no end, -2 when no owner holds the lock,
--         then the server's time in milliseconds, with which the ends of the readers' leases are to be compared,
--         followed by field and value of each entry of the hash.
local lock = KEYS[1]
local time = redis.call('TIME')
local seen = redis.call('HGETALL', lock)
table.insert(seen, 1, redis.call('PTTL', lock))
table.insert(seen, 2, time[1] * 1000 + math.floor(time[2] / 1000))
return seen
