-- force-unlock.lua: releases the lock, whichever owner holds it, and notifies the waiters.
--   KEYS[1]  lock     any key
--   ARGV[1]  channel  on which releases are published
--   ARGV[2]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
-- Returns 1 when the lock was held,
--         1 and an error message when it was held but the message was refused,
--         0 when no owner held it.
local lock, channel, publish = KEYS[1], ARGV[1], ARGV[2]

if redis.call('DEL', lock) == 0 then
  return 0
end
local told = redis.pcall(publish, channel, '0')
if type(told) == 'table' and told.err then
  return {1, told.err}
end
return 1
