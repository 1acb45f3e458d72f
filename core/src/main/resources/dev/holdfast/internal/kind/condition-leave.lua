-- condition-leave.lua: an owner does not wait for a condition any more.
--   KEYS[1]  conditions  hash, as condition-part.lua describes it
--   ARGV[1]  owner       "<client>:<owner id>"
--   ARGV[2]  ticket      of the wait
--   ARGV[3]  channel     that of the lock
--   ARGV[4]  publish     the command to publish on the channels of clients: PUBLISH, or SPUBLISH
-- Returns 1 when it was in a wait set with that ticket, so it was not signalled; 0 when it was not: it was, or the wait set is lost.
local conditions, channel, publish = KEYS[1], ARGV[3], ARGV[4]
-- include shared/condition-sets.lua
return take(ARGV[1], ARGV[2]) and 1 or 0
