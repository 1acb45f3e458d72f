-- rw-release.lua: releases one level of a write hold, or a hold of either side. After the last one, the readers or the first
-- writer in line have the lock, or it is free, which notifies the waiters.
--   KEYS[1]  lock     hash, as rw-acquire.lua describes it
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   the hold that is released
--   ARGV[3]  holds    the count after this call, 0 to release the lock
--   ARGV[4]  channel  on which releases are published
--                     "<channel>:<client>" is that of one client's writers: "<owner> <tenure> <time>" has been granted the
--                     lock at that time of the server, in microseconds; "watch <lease>": it is the first writer in line
--                     now, and attempts after so many milliseconds if it receives no message until then
--                     "<channel>:<client>:read" is that of its readers: "<owner> <tenure> <time>[ <waiting>]" is a grant as
--                     well; with a number, so many writers wait, and the client admits no more readers
--                     "<channel>:line" is that of all clients that join a line: "<others> <left>" is published before the
--                     lock is left free for so many subscribers that do not join one, at that time of the server
--   ARGV[5]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
-- Returns the tenure when it was held and now has that count, or others still read,
--         the tenure and the number of clients that received the message when the lock was released and any did,
--         the tenure, the number of clients that it was granted to, and -1 when these were in line,
--         the tenure, that number, the number of others and that time when the lock was left free for these,
--         the tenure and an error message when the lock was released but the message was refused,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 in place of the tenure when an older tenure of the same owner was released, as by release.lua,
--         0 when no owner holds the lock, or an older tenure does and holds > 0.
-- Readers follow a writer: all that wait, at once. A writer follows readers: the first in line. So a reader waits for one
-- writer at most, and a writer for the readers that came before it. A client that is not subscribed is passed over.
-- An owner that does not hold the lock does not wait any more: its place in line is given up. If that was the last writer in
-- line, the readers that waited behind it join those that hold the lock. A client that releases a write hold has no use for
-- an older place of its writers, and asks for a newer one afterwards.
-- A grant can be lost with its message or its client, and ends with its lease. The first of the other writers watches over
-- it; if that one leaves the line, the next one does so.
-- The lock is left free for others, in place of a grant, by the rule of release.lua, in which each phase counts as a grant:
-- while readers are in line, twice as many are needed as writers are. A writer does not do so while readers are in line: these
-- have waited for its phase, and another writer might have the lock before them.
-- What Redis refuses is as if nobody waited: the lock is left free, and all clients attempt.
-- include shared/busy.lua
local lock, owner, tenure, holds = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local channel, publish = ARGV[4], ARGV[5]
local seen = redis.call('HMGET', lock, owner .. ':tenure', 'mode', 'writers', 'readers')
local mine, mode = tonumber(seen[1] or 0), seen[2]

if mine > tenure then
  return mine
end
local ours = mode == 'shared' or (mode == 'write' and seen[3])
local older = ours and mine > 0 and mine < tenure and holds == 0
local held = mine == tenure or older
if held and holds > 0 then
  redis.call('HSET', lock, owner, holds)
  return tenure
end
if not held and (holds > 0 or not ours) then
  local left = mine == 0 and redis.call('PTTL', lock) or -2
  if left == -2 then
    return 0
  end
  return busy(left)
end
-- include shared/rw-state.lua
if held and mode == 'shared' and r.holding > 1 then
  -- Deletes no field: if the permission for HDEL is missing, this must fail before anything was changed.
  redis.call('HDEL', lock, '')
  r.holding = r.holding - 1
  redis.call('HSET', lock, 'readers', readers())
  redis.call('HDEL', lock, owner, owner .. ':tenure', owner .. ':until')
  return older and 0 or tenure
end
local time = w.count + r.count > 0 and redis.pcall('TIME')
if not held and (not time or time.err) then
  local left = redis.call('PTTL', lock)
  return busy(left)
end
if held and (not time or time.err) then
  redis.call('DEL', lock)
  local told = redis.pcall(publish, channel, '1')
  if type(told) == 'table' and told.err then
    return {older and 0 or tenure, told.err}
  end
  if older then
    return 0
  end
  return told > 0 and {tenure, told} or tenure
end
-- include shared/rw-grant.lua
-- include shared/rw-writers.lua

local function grantWriter()
  local at, entry = firstWriter()
  if not at then
    return
  end
  local to, number, lease, label = entry:match('^(%S+:%S*) (%d+) (%d+) (.*)$')
  local client = to:match('^(.*):')
  redis.call('HDEL', lock, at, client .. ':writer')
  w.first, w.count, w.grants = w.first + 1, w.count - 1, w.grants + 1
  local fields = {'mode', 'write', to, 1, to .. ':tenure', number, 'writers', writers(), 'readers', readers()}
  if label ~= '' then
    fields[11], fields[12] = client .. ':label', label
  end
  redis.call('HSET', lock, unpack(fields))
  redis.call('PEXPIRE', lock, lease)
  local message = table.concat({to, number, now}, ' ')
  redis.call(publish, channel .. ':' .. client, message)
  told = 1
  watch(lease)
end

local client = owner:match('^(.*):')
-- Whether an entry is given up: the owner does not wait any more, or its client held the lock itself since.
local function leaves(entry)
  local waiter, number = entry:match('^(%S+) (%d+)')
  return waiter and (held or waiter == owner) and tonumber(number) <= tenure
end

-- Returns whether the writer of this client has left the line. A place at the end that nobody waits at is not kept.
local function leaveWriters()
  local place = w.count > 0 and redis.call('HGET', lock, client .. ':writer')
  if not leaves(place and redis.call('HGET', lock, 'writer:' .. place) or '') then
    return false
  end
  redis.call('HDEL', lock, '')
  w.count = math.max(0, w.count - 1)
  redis.call('HSET', lock, 'writer:' .. place, string.format('%s:', client), 'writers', writers())
  local last = w.last
  while w.last >= w.first do
    local at = 'writer:' .. string.format('%d', w.last)
    local gone = string.match(redis.call('HGET', lock, at) or ':', '^(%S*):$')
    if not gone then
      break
    end
    redis.call('HDEL', lock, at, gone .. ':writer')
    w.last = w.last - 1
  end
  if w.last < last then
    redis.call('HSET', lock, 'writers', writers())
  end
  return true
end

if not held then
  local left = redis.call('PTTL', lock)
  if leaves(redis.call('HGET', lock, client .. ':reader') or '') then
    redis.call('HDEL', lock, '')
    r.count = math.max(0, r.count - 1)
    redis.call('HSET', lock, 'readers', readers())
    redis.call('HDEL', lock, client .. ':reader')
  end
  if leaveWriters() then
    if w.count > 0 then
      watch(math.max(mode == 'shared' and math.min(left, r.due - nowMs) or left, 1))
    elseif mode == 'shared' then
      joinReaders()
    end
  end
  return busy(left)
end

local others
local since = now - w.opened
-- The phases in which each client in line has the lock once: with readers, every second one is a writer's.
local count = r.count > 0 and math.max(2 * w.count, 1) or w.count
local isTurnOfReaders = mode == 'write' and r.count > 0
if not isTurnOfReaders and (since < 0 or (since >= 15000 and w.grants >= count)) then
  local heard = redis.pcall('PUBSUB', numsub, channel, channel .. ':line')
  local beside = heard.err and 1 or math.max(0, heard[2] - heard[4])
  local turns = w.grants >= 4 * count and since >= 1000000
  if since < 0 or beside > 0 or (w.grants >= 16 and (turns or since >= 2500000)) then
    others = beside
  end
end
if not others then
  local whole = pcall(function()
    redis.call('HDEL', lock, owner, owner .. ':tenure', owner .. ':until', owner:match('^.*:') .. 'label')
    r.holding = 0
    if mode == 'write' then
      leaveWriters()
      grantReaders()
    end
    if told == 0 then
      grantWriter()
    end
    if told == 0 then
      grantReaders()
    end
  end)
  if told > 0 then
    if not whole then
      redis.pcall(publish, channel, '1')
    end
    return {older and 0 or tenure, told, -1}
  end
end

redis.call('DEL', lock)
if others then
  redis.pcall(publish, channel .. ':line', string.format('%d %s', others, now))
end
told = redis.pcall(publish, channel, '1')
if type(told) == 'table' and told.err then
  return {older and 0 or tenure, told.err}
end
if others then
  return {older and 0 or tenure, told, others, now}
end
if older then
  return 0
end
return told > 0 and {tenure, told} or tenure
