-- rw-acquire.lua: acquires a read-write lock for reading or for writing, re-enters it, or returns how long to wait, and may
-- join the line of writers or that of readers.
--   KEYS[1]  lock     hash: mode -> 'write' or 'shared'; owner -> hold count, owner:tenure -> tenure, and of a reader
--                     owner:until -> "<until> <label>": the end of its lease, in milliseconds by the server's clock
--                     client:label -> label of the writer's client
--                     the clients that wait, a line for each side:
--                     writers -> "<first> <last> <count> <grants> <opened>": the places in use, how many writers wait, the
--                     phases that were granted since the first client has joined, and the server's time then in microseconds
--                     writer:<place> -> "<owner> <tenure> <lease> <label>": the owner to grant the lock to, and for how long;
--                     "<client>:" once it has left, until a grant passes that place
--                     client:writer -> its place
--                     readers -> "<count> <holding> <due>": how many readers wait, how many hold the lock, and a time in
--                     milliseconds before which none of their leases ends
--                     client:reader -> "<owner> <tenure> <lease> <label>"
--   ARGV[1]  owner    "<client>:<owner id>"; of a reader, an id that no writer has
--   ARGV[2]  tenure   number of this hold, grows within a client
--   ARGV[3]  holds    the count after this call, 1 for a first acquire and for each reader
--   ARGV[4]  lease    milliseconds, > 1; a first acquire sets it, a re-entry never shortens what is left
--   ARGV[5]  side     read or write
--   ARGV[6]  label    of the client, shown by inspect.lua; missing or empty if it has none
--   ARGV[7]  granted  milliseconds, > 1: the lease that a release grants it with; missing if it does not join a line
--   ARGV[8]  channel  on which releases are published; those to the writers of this client on "<channel>:<client>", those to
--                     its readers on "<channel>:<client>:read", and on "<channel>:line" for all clients that join a line:
--                     "opened <time>" when this command has opened it, at that time of the server in microseconds;
--                     "closing <time>" when the first writer waits for the present readers: their clients admit no more;
--                     rw-release.lua has those to the readers that it grants the lock, and to the writer that watches
--   ARGV[9]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
-- Returns the tenure when the lock is held by it after this call,
--         the tenure and the number of writers that wait when a reader had it already, and its client admits no more,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds until another owner's lease may end, -2^52 when it has no end,
--         the same, the number of clients before it on its side and the server's time in microseconds if it has a place in
--         line now,
--         the same and an error message if Redis refused to give it one,
--         0 when the hold to be re-entered is gone,
--         an error when the key holds a lock of another kind, or Redis refuses a part of it; the lock is then unchanged.
-- Readers share the lock. While a writer waits no reader joins those that hold it: readers and writers have it in turn.
-- A hash without the field writers whose mode is 'write' is Redisson's, and so is any mode but the two: it is busy, and
-- nothing is ever written to it. Redisson shares a lock whose mode is 'read' only, and so leaves ours alone.
-- Each reader's lease ends by itself, and the key's expiry is never before that. Once none of the readers is left by the
-- server's clock, the lock is free as if its key had expired, with the lines.
-- A reader that joins, and is barred by writers of which none is subscribed any more, does not wait for them: they are passed
-- over as by a release, and if none is left, it and the readers in line join those that hold the lock.
-- A reader that no writer bars does not look at the leases of the others: those that have ended stay until a writer comes.
-- Idempotent, and late runs are as those of acquire.lua, which also has the rules for joining a line. A client that has left
-- the line of writers, and comes back before a grant has passed its place, has the same one.
-- include shared/busy.lua
-- include shared/restore.lua
local lock, owner, number, side = KEYS[1], ARGV[1], ARGV[2], ARGV[5]
local tenure, holds, lease = tonumber(number), tonumber(ARGV[3]), tonumber(ARGV[4])
local label, granted, channel, publish = ARGV[6] or '', ARGV[7], ARGV[8], ARGV[9]
local seen = redis.call('HMGET', lock, owner .. ':tenure', 'mode', 'writers', 'readers')
local mine, mode = tonumber(seen[1] or 0), seen[2]
local left = redis.call('PTTL', lock)

if mine > tenure then
  return mine
end
if left ~= -2 and not mode then
  return {err = 'WRONGKIND exclusive lock'}
end
if holds > 1 and mine ~= tenure then
  return 0
end
local foreign = left ~= -2 and mode ~= 'shared' and not (mode == 'write' and seen[3])
local wrongSide = mine > 0 and (side == 'write') ~= (mode == 'write')
if foreign or wrongSide or (mine == 0 and left == -1) then
  return busy(left)
end
-- include shared/rw-state.lua
local time, nowMs
if side == 'read' or (mine == 0 and left ~= -2) then
  time = redis.call('TIME')
  nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
end

if mine == 0 and mode == 'shared' and nowMs > r.due and (side == 'write' or w.count > 0) then
  local all = redis.call('HGETALL', lock)
  r.holding = 0
  -- Deletes no field. After this, Redis does not refuse the others for lack of memory.
  redis.call('HDEL', lock, '')
  for i = 1, #all, 2 do
    local reader = all[i]:match('^(.*):until$')
    local till = reader and tonumber(all[i + 1]:match('^%d+'))
    if till and till >= nowMs then
      admit(till)
    elseif reader then
      redis.call('HDEL', lock, reader, reader .. ':tenure', reader .. ':until')
    end
  end
  if r.holding > 0 then
    redis.call('HSET', lock, 'readers', readers())
  else
    redis.call('DEL', lock)
    clear()
    left = -2
  end
end

local client = owner:match('^(.*):')
if granted and mine == 0 and mode == 'shared' and left ~= -2 and side == 'read' and w.count + r.count > 0 then
-- include shared/rw-grant.lua
-- include shared/rw-writers.lua
  local first = w.first
  -- If Redis refuses it, the writers bar this reader as if they were subscribed.
  pcall(firstWriter)
  if w.first > first or w.count == 0 then
    redis.call('HDEL', lock, '')
    redis.call('HSET', lock, 'writers', writers())
  end
  if w.count == 0 then
    local own = redis.call('HGET', lock, client .. ':reader')
    if own and tonumber(own:match('^%S+ (%d+)') or 0) <= tenure then
      redis.call('HDEL', lock, client .. ':reader')
      r.count = math.max(0, r.count - 1)
    end
    joinReaders()
    mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
    if mine > 0 then
      return mine
    end
    left = redis.call('PTTL', lock)
  elseif w.first > first then
    watch(math.max(math.min(left, r.due - nowMs), 1))
  end
end

local admitted = side == 'read' and mode == 'shared' and w.count == 0
if mine == 0 and left ~= -2 and not admitted then
  local wait = mode == 'shared' and math.min(left, r.due - nowMs) or left
  if not granted then
    return busy(wait)
  end
  local numsub = publish == 'SPUBLISH' and 'SHARDNUMSUB' or 'NUMSUB'
  local heard = side == 'write'
    and redis.pcall('PUBSUB', numsub, channel .. ':' .. client, channel .. ':line')
    or redis.pcall('PUBSUB', numsub, channel .. ':' .. client .. ':read', channel .. ':line')
  if heard.err then
    return {busy(wait), heard.err}
  end
  if heard[2] == 0 then
    return busy(wait)
  end
  local place = side == 'write' and redis.call('HGET', lock, client .. ':writer')
  local known = side == 'read' and redis.call('HGET', lock, client .. ':reader')
    or place and redis.call('HGET', lock, 'writer:' .. place)
  local waits = known and tonumber(known:match('^%S+ (%d+)'))
  -- Leaves the expiry as it is, by the rule of acquire.lua.
  local renewable = left < 2 or redis.pcall('PEXPIRE', lock, left)
  if type(renewable) == 'table' then
    return {busy(wait), renewable.err}
  end
  local now = string.format('%d%06d', time[1], time[2])
  local opens, closes, before = w.opened == 0, side == 'write' and mode == 'shared' and w.count == 0, 0
  if opens then
    w.opened = tonumber(now)
  end
  local fields
  if side == 'read' then
    r.count = r.count + (waits and 0 or 1)
    before = r.count - 1
    fields = {client .. ':reader', '', 'readers', readers(), 'writers', writers()}
  else
    if not place then
      place, w.last = w.last + 1, w.last + 1
    end
    w.count = w.count + (waits and 0 or 1)
    before = math.max(0, math.min(place - w.first, w.count - 1))
    place = string.format('%d', place)
    fields = {'writer:' .. place, '', client .. ':writer', place, 'writers', writers()}
  end
  fields[2] = table.concat({owner, number, granted, label}, ' ')
  local written = (not waits or waits <= tenure) and redis.pcall('HSET', lock, unpack(fields))
  if type(written) == 'table' then
    return {busy(wait), written.err}
  end
  if opens and heard[4] > 1 then
    redis.pcall(publish, channel .. ':line', 'opened ' .. now)
  end
  if closes and heard[4] > 1 then
    redis.pcall(publish, channel .. ':line', 'closing ' .. now)
  end
  return {busy(wait), before, now}
end

local sets, fields = left < lease, {owner, holds, owner .. ':tenure', number}
if side == 'write' then
  sets = sets or mine ~= tenure
  if mine == tenure then
    fields[2] = math.max(holds, tonumber(redis.call('HGET', lock, owner) or 0))
  end
  if left == -2 then
    fields[5], fields[6], fields[7], fields[8] = 'mode', 'write', 'writers', writers()
  end
  if label ~= '' then
    fields[#fields + 1] = owner:match('^.*:') .. 'label'
    fields[#fields + 1] = label
  end
else
  local till = nowMs + lease
  if mine == tenure then
    till = math.max(till, tonumber(string.match(redis.call('HGET', lock, owner .. ':until'), '^%d+')))
  end
  if mine == 0 then
    admit(till)
  else
    r.due = math.min(r.due, till)
  end
  fields[5], fields[6] = owner .. ':until', string.format('%d %s', till, label)
  fields[7], fields[8] = 'readers', readers()
  if left == -2 then
    fields[9], fields[10] = 'mode', 'shared'
  end
end
-- For a free lock this only checks the permission, before there is a key that could remain without expiry. After this, Redis
-- does not refuse the fields for lack of memory.
redis.call('PEXPIRE', lock, sets and lease or left)
local written = redis.pcall('HSET', lock, unpack(fields))
if type(written) == 'table' then
  restore(lock, left)
  return written
end
if left == -2 then
  redis.call('PEXPIRE', lock, lease)
end
return side == 'read' and w.count > 0 and {tenure, w.count} or tenure
