-- condition-rouse.lua: wakes all that wait for conditions of a lock, since a signal may be lost.
--   KEYS[1]  conditions  hash, as condition-part.lua describes it
--   ARGV[1]  channel     that of the lock
--   ARGV[2]  publish     the command to publish on the channels of clients: PUBLISH, or SPUBLISH
-- Returns 1.
local conditions, channel, publish = KEYS[1], ARGV[1], ARGV[2]
-- include shared/condition-sets.lua
rouse()
return 1
