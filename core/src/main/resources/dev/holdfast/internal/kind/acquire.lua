-- acquire.lua: acquires the lock, re-enters it, or returns how long to wait, and may join the line of clients for it.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure, client:label -> label,
--                     owner:token -> token of a fenced hold; and the line of clients, which release.lua describes
--   KEYS[2]  tokens   only for a fenced lock: the last token that was drawn for it
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   number of this hold, grows within a client
--   ARGV[3]  holds    the count after this call, 1 for a first acquire
--   ARGV[4]  lease    milliseconds, > 1; a first acquire sets it, a re-entry never shortens what is left
--   ARGV[5]  label    of the client, shown by inspect.lua; missing or empty if it has none
--   ARGV[6]  granted  milliseconds, > 1: the lease that a release grants it with; missing if it does not join the line
--   ARGV[7]  channel  on which releases are published; those to this client on "<channel>:<client>", and on
--                     "<channel>:line" for all clients that join the line: "opened <time>" when this command has opened
--                     it, at that time of the server in microseconds
--   ARGV[8]  count    the subcommand that counts subscribers: SHARDNUMSUB if channels are sharded; NUMSUB if missing
--   ARGV[9]  fair     1 if each owner is to have a place of its own; missing if the client has one for all its owners
-- Returns the tenure when the lock is held by it after this call; for a fenced lock the tenure and its token,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         the same, the number of clients before it and the server's time in microseconds if it has a place in line now,
--         the same and an error message if Redis refused to give it one,
--         0 when the hold to be re-entered is gone,
--         an error when the key holds a lock of another kind, which it names behind WRONGKIND, or when Redis refuses a part
--         of it; the lock is then unchanged, free or held, never without expiry.
-- A token is drawn with each new tenure.
-- Idempotent. A late run finds a newer tenure, or adopts an older one. An adoption is a new hold and sets its own
-- lease, shorter or longer than the one it finds: no caller uses the older tenure any more.
-- A client has one place in line, or each of its owners has, and keeps it when it tries again: the entry of its newest
-- tenure stays. A client that
-- is not subscribed to its channel gets none, since it would not receive a grant; nor does a key without an expiry, which
-- is no lock of ours.
-- A line ends with the lock's key, and nobody is notified when the key expires: a client may wait for a grant from a line
-- that does not exist any more. So the client that opens a new one announces it, and each such client asks for its place again;
-- and so does each owner of that very client, if it has places of its own.
-- include shared/draw.lua
-- include shared/busy.lua
-- include shared/restore.lua
local lock, tokens, owner, number = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local tenure = tonumber(number)
local holds, lease, label = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local granted, channel = ARGV[6], ARGV[7]
local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
local left = redis.call('PTTL', lock)

if mine > tenure then
  return mine
end
if mine ~= tenure and left ~= -2 and redis.call('HGET', lock, 'mode') then
  return {err = 'WRONGKIND read-write lock'}
end
if mine == 0 and left ~= -2 then
  if not granted or left == -1 then
    return busy(left)
  end
  local client = owner:match('^(.*):')
  local unit = ARGV[9] and owner or client
  local heard = redis.pcall('PUBSUB', ARGV[8] or 'NUMSUB', channel .. ':' .. client, channel .. ':line')
  local time = redis.pcall('TIME')
  if heard.err or time.err then
    return {busy(left), heard.err or time.err}
  end
  if heard[2] == 0 then
    return busy(left)
  end
  local entry = table.concat({owner, number, granted, tokens and 1 or 0, label or ''}, ' ')
  local now = string.format('%d%06d', time[1], time[2])
  local seen = redis.call('HMGET', lock, 'line', unit .. ':line')
  local line, place = seen[1] or '1 0 0 0 ' .. now, seen[2]
  local first, last, count, rest = line:match('^(%d+) (%d+) (%d+) (%d+ %d+)$')
  if not first then
    return busy(left)
  end
  local known = place and redis.call('HGET', lock, 'line:' .. place)
  local written
  if not known then
    place = string.format('%d', last + 1)
    count = string.format('%d', count + 1)
    line = table.concat({first, place, count, rest}, ' ')
    written = redis.pcall('HSET', lock, 'line', line, 'line:' .. place, entry, unit .. ':line', place)
  elseif tonumber(known:match('^%S+ (%d+)') or 0) <= tenure then
    written = redis.pcall('HSET', lock, 'line:' .. place, entry)
  end
  if type(written) == 'table' then
    return {busy(left), written.err}
  end
  -- Leaves the lease as it is: a client that may not set an expiry could not hold what it is granted. Not in its last
  -- milliseconds: an expiry of 0 would delete the key, and before Redis 7.2, which lets time pass within a command, so may 1; the
  -- line would outlive it, without expiry. A longer one would extend the lease, with each attempt.
  local renewable = known or left < 2 or redis.pcall('PEXPIRE', lock, left)
  if type(renewable) == 'table' then
    redis.pcall('HDEL', lock, 'line:' .. place, unit .. ':line', seen[1] and '' or 'line')
    if seen[1] then
      redis.pcall('HSET', lock, 'line', seen[1])
    end
    return {busy(left), renewable.err}
  end
  if not seen[1] and (ARGV[9] or heard[4] > 1) then
    redis.pcall(ARGV[8] == 'SHARDNUMSUB' and 'SPUBLISH' or 'PUBLISH', channel .. ':line', 'opened ' .. now)
  end
  -- Once most places are empty, since their clients have left, the others move up.
  if not known and place - first > 2 * count + 16 and type(redis.pcall('HDEL', lock, '')) == 'number' then
    local to = first - 1
    for at = first, place do
      local from = 'line:' .. string.format('%d', at)
      local moved = redis.call('HGET', lock, from)
      local whose = moved and moved:match('^%S+')
      redis.call('HDEL', lock, from)
      if whose then
        if redis.call('HGET', lock, whose .. ':line') ~= string.format('%d', at) then
          whose = whose:match('^(.*):')
        end
        to = to + 1
        redis.call('HSET', lock, 'line:' .. string.format('%d', to), moved, whose .. ':line', string.format('%d', to))
      end
    end
    place = string.format('%d', to)
    redis.call('HSET', lock, 'line', table.concat({first, place, count, rest}, ' '))
  end
  return {busy(left), math.max(0, math.min(place - first, count - 1)), now}
end
-- include shared/grant.lua
