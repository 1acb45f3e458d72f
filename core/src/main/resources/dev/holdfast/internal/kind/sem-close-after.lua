-- sem-close-after.lua: ends a hold of a semaphore, but keeps its permits busy for a while.
--   KEYS[1]  lock     hash, as sem-acquire.lua describes it
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   the hold that is ended
--   ARGV[3]  closed   a newer tenure, which no hold has; the permits are left with it, so that later commands for the hold have
--                     no effect
--   ARGV[4]  left     milliseconds, > 0, to keep them busy; replaces the rest of the lease, shorter or longer
--   ARGV[5]  channel  on which releases are published
--   ARGV[6]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
-- Returns the tenure when it was held and is ended now, or was ended by an earlier run of this command,
--         the tenure and an error message when this shortened the lease, and the message about it was refused,
--         a newer tenure of the same owner when this command came late and had no effect,
--         0 when the owner has no permits, or an older tenure has,
--         an error when Redis refuses a part of it; the hold is then unchanged.
-- A shortened lease is published, although nothing is free: a waiter sleeps until the end of the lease as of its last attempt. If
-- clients are in line, the first of them alone is told, which attempts then.
local lock, owner, tenure, closed, left = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, publish = ARGV[5], ARGV[6]
local seen = redis.call('HMGET', lock, 'state', 'hold:' .. owner)
-- include shared/sem-state.lua
local mine, permits, number, till, label = parts(seen[2])
if mine == closed then
  return tenure
end
if mine > tenure then
  return mine
end
if mine < tenure or till <= now then
  return 0
end
put(owner, closed, permits, number, now + left, label)
if now + left >= till then
  return tenure
end
local told
if count == 0 then
  told = redis.pcall(publish, channel, '0')
else
  -- The first place is that of a client that waits.
  local entry = redis.call('HGET', lock, 'line:' .. string.format('%d', first))
  told = redis.pcall(publish, channel .. ':' .. entry:match('^(%S*):'), 'watch ' .. string.format('%d', left))
end
if type(told) == 'table' then
  return {tenure, told.err}
end
return tenure
