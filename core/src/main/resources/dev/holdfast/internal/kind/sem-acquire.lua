-- sem-acquire.lua: acquires permits of a semaphore, or returns how long to wait, and may join the line of clients for them.
--   KEYS[1]  lock     hash: hold:<owner> -> "<tenure> <permits> <number> <until> <label>": until when, in milliseconds by the
--                     server's clock, the owner has how many permits, and its number
--                     state -> "<held> <top> <due> <limit> <first> <last> <count> <numbers>": the permits that are held; the
--                     numbers that were given, of which those at the end are free again; a time before which no end is looked at;
--                     the limit that was named last; the places of the line in use, and how many clients wait
--                     line:<place> -> "<owner> <tenure> <permits> <limit> <lease> <label>": what to grant, and for how
--                     long; "<client>:" once it has left
--                     client:line -> its place
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   number of this hold, grows within a client
--   ARGV[3]  permits  how many, > 0
--   ARGV[4]  limit    how many may be held with these, >= permits
--   ARGV[5]  lease    milliseconds, > 0
--   ARGV[6]  label    of the client, shown by sem-inspect.lua; empty if it has none
--   ARGV[7]  channel  on which releases are published; sem-release.lua has those of grants, and on "<channel>:line" is
--                     published "opened <time>" when this command has opened the line, at that time of the server in
--                     microseconds
--   ARGV[8]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
--   ARGV[9]  granted  milliseconds, > 0: the lease of a grant; missing if it does not join the line
-- Returns the tenure and its number, from 1 to the limit and of no other hold, when it has the permits after this call,
--         the same and the limit that was named before if that was another one,
--         a newer tenure of the same owner when this command came late,
--         minus the milliseconds until the ends of holds are looked at, unless one is released before,
--         the same, the number of clients before it and the server's time in microseconds if it has a place in line now,
--         the same and the limit that was named before if that was another one,
--         minus the milliseconds and an error message if Redis refused to count its subscribers,
--         an error when Redis refuses a part of it; an owner without permits then has none.
-- Nobody passes the line: while a client waits in it, permits are given to the first client alone. Holds that have ended are
-- dropped first, and their permits granted down the line.
-- Idempotent: the same tenure is held at least as long as requested. An older tenure with as many permits is adopted: it
-- becomes this one, with its own lease; another one is released. A hold that has ended is over, although nobody has looked.
-- A client has one place in line, and keeps it: the entry of its newest tenure stays. A client that has left, and comes back
-- before its place is passed, has the same one. A client that is not subscribed to its channel gets none.
local lock, owner, number = KEYS[1], ARGV[1], ARGV[2]
local tenure, permits, limit, lease = tonumber(number), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local label, channel, publish, granted = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local client = owner:match('^(.*):')
local seen = redis.call('HMGET', lock, 'state', 'hold:' .. owner, client .. ':line')
-- include shared/sem-state.lua
local mine, amount, slot, till = parts(seen[2])
if mine > tenure then
  return mine
end
-- include shared/sem-line.lua
local other = named > 0 and named ~= limit and named or nil
named = limit
if mine > 0 and till > now and amount == permits and slot <= limit then
  local wanted = now + lease
  put(owner, tenure, permits, slot, mine == tenure and math.max(till, wanted) or wanted, label)
else
  if mine > 0 then
    give(owner, amount, slot)
  end
  slot = nil
end
if held > 0 and now >= due then
  look()
end

local place, heard = seen[3], nil
if granted and not slot and (count > 0 or held + permits > limit) then
  heard = redis.pcall('PUBSUB', numsub, channel .. ':' .. client, channel .. ':line')
end
local joins = heard and not heard.err and heard[2] > 0
local entry = joins and string.format('%s %s %d %d %s %s', owner, number, permits, limit, granted, label)
if place then
  local whose, waiting = string.match(redis.call('HGET', lock, 'line:' .. place) or '', '^(%S+) (%d+) ')
  if joins and tonumber(waiting or 0) <= tenure then
    writable()
    count = count + (whose and 0 or 1)
    redis.call('HSET', lock, 'line:' .. place, entry, 'state', state())
  elseif not joins and whose == owner and tonumber(waiting) <= tenure then
    leave(place)
  end
end
if first <= last then
  local served, given = serve(lease)
  if served > tenure then
    if dirty then
      save()
    end
    return served
  end
  slot = slot or given
end
if not slot and count == 0 and held + permits <= limit then
  slot = take(owner, tenure, permits, limit, lease, label)
end
-- If it is not in line, or a newer tenure was granted at its place.
if joins and not slot and (not place or tonumber(place) < first) then
  writable()
  local opens = last == 0
  last = last + 1
  count = count + 1
  place = string.format('%d', last)
  redis.call('HSET', lock, 'line:' .. place, entry, client .. ':line', place, 'state', state())
  dirty = false
  if opens and heard[4] > 1 then
    redis.pcall(publish, channel .. ':line', 'opened ' .. stamp())
  end
end
if dirty then
  save()
end

if slot and other then
  return {tenure, slot, other}
end
if slot then
  return {tenure, slot}
end
local wait = -math.max(due - now, 1)
if not joins then
  return heard and heard.err and {wait, heard.err} or wait
end
local ahead = math.max(0, math.min(place - first, count - 1))
if other then
  return {wait, ahead, stamp(), other}
end
return {wait, ahead, stamp()}
