-- sem-release.lua: releases a hold of a semaphore, or gives up a place in its line. The permits are granted to the first clients
-- in line, or are free, which notifies the waiters.
--   KEYS[1]  lock     hash, as sem-acquire.lua describes it
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   the hold that is released
--   ARGV[3]  channel  on which releases are published
--                     "<channel>:<client>" is that of one client: "<owner> <tenure> <time> <number>" has been granted permits
--                     at that time of the server, in microseconds, and has that number; "watch <lease>": it is the first in
--                     line now, and attempts after so many milliseconds if it receives no message until then
--   ARGV[4]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
-- Returns the tenure when it was held,
--         the tenure and the number of clients that received the message when nobody is in line and any did,
--         the tenure, the number of clients that permits were granted to, and -1 when these were in line,
--         the tenure and an error message when the message was refused,
--         a newer tenure of the same owner when this command came late and had no effect,
--         0 in place of the tenure when it was not held: an older tenure of the same owner was released, the hold has ended,
--         or the owner has left the line,
--         0 when the owner neither has permits nor is in line.
-- There is no count that two releases could raise twice: the second one finds no hold. Holds that have ended are dropped first.
local lock, owner, number, channel, publish = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local tenure, client = tonumber(number), owner:match('^(.*):')
local seen = redis.call('HMGET', lock, 'state', 'hold:' .. owner, client .. ':line')
-- include shared/sem-state.lua
local mine, permits, slot, till = parts(seen[2])
if mine > tenure then
  return mine
end
-- include shared/sem-line.lua
local place = mine == 0 and seen[3]
if mine == 0 then
  local waiter, waiting = string.match(place and redis.call('HGET', lock, 'line:' .. place) or '', '^(%S+) (%d+) ')
  if waiter ~= owner or tonumber(waiting) > tenure then
    return 0
  end
end
local was = mine == tenure and till > now and tenure or 0
if mine > 0 and held == permits and count == 0 then
  held = 0
else
  if mine > 0 then
    give(owner, permits, slot)
  else
    leave(place)
  end
  if held > 0 and now >= due then
    look()
  end
  if first <= last then
    serve()
  end
end
if held == 0 and count == 0 then
  redis.call('DEL', lock)
elseif dirty then
  save()
end

local receivers = count == 0 and redis.pcall(publish, channel, '0') or 0
if type(receivers) == 'table' then
  refusal = receivers.err
  receivers = 0
end
if told > 0 then
  return {was, told, -1}
end
if refusal then
  return {was, refusal}
end
return receivers > 0 and {was, receivers} or was
