-- condition-part.lua: what the owner of a lock does about its conditions before it releases the lock: it signals, and begins to
-- wait itself. It is sent in front of the release, so nobody else can have the lock before.
--   KEYS[1]  lock        hash, as acquire.lua or rw-acquire.lua describes it
--   KEYS[2]  conditions  hash: queue:<condition> -> "<first> <last>": the owners at both ends of a wait set
--                        owner:<owner> -> "<ticket> <before> <behind> <condition>": its wait, between its neighbours; "-" for none
--                        client:<client> -> until when the client has proved to be alive, in milliseconds by the server's clock
--   ARGV[1]  owner       "<client>:<owner id>"
--   ARGV[2]  tenure      with which it holds the lock
--   ARGV[3]  channel     that of the lock; "<channel>:<client>:signals" is that of a client: "signal <owner> <ticket>": its wait is
--                        over; "rouse": all its waits are, since a signal may be lost
--   ARGV[4]  publish     the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
--   ARGV[5]  counted     1 if that replies with the number of all subscribers; 0 if only with those at this node
--   ARGV[6]  lease       milliseconds, for which the client counts as alive
--   ARGV[7]  ticket      of its wait, larger than any before of its client; 0 if it does not wait
--   ARGV[8]  condition   for which it waits
--   ARGV[2i+7], ARGV[2i+8]  condition, all  what it signals, in this order; 1 for all that wait, 0 for the first
-- Returns the tenure and how many were signalled,
--         0 when that tenure does not hold the lock: nothing was done,
--         an error when Redis refuses a part of it.
-- A waiter whose client is not alive, or not subscribed, is passed over. The owner does not receive its own signals.
local lock, conditions, owner, tenure = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local channel, publish, counted = ARGV[3], ARGV[4], ARGV[5] == '1'
local lease, ticket, condition = tonumber(ARGV[6]), ARGV[7], ARGV[8]
if redis.call('HGET', lock, owner .. ':tenure') ~= tenure then
  return 0
end
-- include shared/condition-sets.lua

local signalled = 0
for i = 9, #ARGV, 2 do
  local of, all = ARGV[i], ARGV[i + 1] == '1'
  local whose = ends(of)
  while whose do
    local number = take(whose)
    local client = whose:match('^(.*):')
    local alive = tonumber(redis.call('HGET', conditions, 'client:' .. client) or 0) > now
    local receivers = alive and number and tell(client, 'signal ' .. whose .. ' ' .. number) or 0
    local reached = receivers > 0 or alive and not counted
    signalled = signalled + (reached and 1 or 0)
    whose = number and (all or not reached) and ends(of)
  end
end

if ticket ~= '0' then
  live(owner:match('^(.*):'), lease)
  take(owner)
  local first, last = ends(condition)
  if last then
    local number, before = wait_of(last)
    set_wait(last, number, before, owner, condition)
  end
  set_wait(owner, ticket, last or '-', '-', condition)
  set_ends(condition, first or owner, owner)
end
return {tonumber(tenure), signalled}
