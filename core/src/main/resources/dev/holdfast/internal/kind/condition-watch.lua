-- condition-watch.lua: a client that has waiters for conditions of a lock proves that it is alive, asks whether they are in their
-- wait sets, and looks for clients that have died: these may have swallowed a signal, and all wake then.
--   KEYS[1]  conditions  hash, as condition-part.lua describes it
--   ARGV[1]  client
--   ARGV[2]  lease       milliseconds, for which the client counts as alive; 0 when it has no waiters any more
--   ARGV[3]  channel     that of the lock
--   ARGV[4]  publish     the command to publish on the channels of clients: PUBLISH, or SPUBLISH
--   ARGV[5]  numsub      the word behind PUBSUB that counts subscribers; empty where nobody knows all of them
--   ARGV[2i+4], ARGV[2i+5]  owner, ticket  of its waiters
-- Returns how many clients have died since the last time, then of each waiter 1 if it is in a wait set, or 0.
local conditions, client, lease, channel, publish, numsub = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
-- include shared/condition-sets.lua
if lease == 0 then
  redis.call('HDEL', conditions, 'client:' .. client)
  return {0}
end
live(client, lease)

local answer = {0}
for i = 6, #ARGV, 2 do
  answer[#answer + 1] = wait_of(ARGV[i]) == ARGV[i + 1] and 1 or 0
end
local all = redis.call('HGETALL', conditions)
for i = 1, #all, 2 do
  local other = all[i]:match('^client:(.*)$')
  if other and other ~= client then
    local heard = numsub ~= '' and redis.pcall('PUBSUB', numsub, channel .. ':' .. other .. ':signals')
    local deaf = heard and not heard.err and heard[2] == 0
    if deaf or tonumber(all[i + 1]) <= now then
      redis.call('HDEL', conditions, all[i])
      answer[1] = answer[1] + 1
    end
  end
end
if answer[1] > 0 then
  rouse()
end
return answer
