-- sem-inspect.lua: reads the state of a semaphore; changes nothing.
--   KEYS[1]  lock  hash, as sem-acquire.lua describes it
-- Returns the milliseconds since 1970 by the server's clock, with which the ends of holds are compared,
--         followed by field and value of each entry of the hash.
local lock = KEYS[1]
local time = redis.call('TIME')
local seen = redis.call('HGETALL', lock)
table.insert(seen, 1, time[1] * 1000 + math.floor(time[2] / 1000))
return seen
