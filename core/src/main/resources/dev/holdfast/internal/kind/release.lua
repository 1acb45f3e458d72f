-- release.lua: releases one level of a hold, or the lock. A released lock is granted to the first client in line, or is
-- free, which notifies the waiters.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure, client:label -> label,
--                     owner:token -> token of a fenced hold
--                     the line of clients that wait for it, in the order in which acquire.lua added them:
--                     line -> "<first> <last> <count> <grants> <opened>": the places in use, how many of them are taken,
--                     the grants since the lock was last left free, and the server's time then in microseconds
--                     line:<place> -> "<owner> <tenure> <lease> <fenced> <label>": the owner to grant the lock to, for how
--                     long, and whether with a token (1) or without (0)
--                     client:line -> its place, or owner:line -> that of an owner which has one of its own
--   KEYS[2]  tokens   the last token that was drawn for a fenced lock; missing if the release draws none: a fenced lock
--                     is then granted without one, and its new owner draws it by an acquire
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   the hold that is released
--   ARGV[3]  holds    the count after this call, 0 to release the lock
--   ARGV[4]  channel  on which releases are published
--                     "<channel>:<client>" is that of one client: "<owner> <tenure> <time>[ <token>]" has been granted
--                     the lock at that time of the server, in microseconds, perhaps with a token; "watch <lease>":
--                     it is the first in line now, and attempts after so many milliseconds if it receives no message
--                     until then, since the present lease ends unless it is renewed
--                     "<channel>:line" is that of all clients that join the line: "<others> <left>" is published before
--                     the lock is left free for so many subscribers that do not join it, at that time of the server
--   ARGV[5]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
--   ARGV[6]  fair     1 if it is not left free for those that only try; missing if it is, now and then
-- Returns the tenure when it was held and now has that count,
--         the tenure and the number of clients that received the message when the lock was released and any did,
--         the tenure, that number and -1 when the lock was granted to a client in line,
--         the tenure, that number, the number of others and that time when the lock was left free for these,
--         the tenure and an error message when the lock was released but the message was refused,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 in place of the tenure when an older tenure of the same owner was released: an owner that releases a tenure
--         does not use an older one, and an acquire that was sent again with another tenure would otherwise leave its
--         first one behind,
--         0 when no owner holds the lock, or an older tenure does and holds > 0.
-- The lease is unchanged: its rest remains after a partial release.
-- The key exists if and only if the lock is held or closed, so the line ends with it: a client that deletes the key and
-- does not know the line notifies or frees all clients, and they join again.
-- An owner that does not hold the lock does not wait any more: its place in line is given up.
-- A grant can be lost with its message or its client. The first of the other clients in line watches over it, so the lock
-- stands still for one lease, however many wait. If that client leaves the line, the next one does so.
-- The lock is left free for others, in place of a grant, when each client in line has had its turn since, and at least
-- 15 ms have passed. For those that only try, and cannot be counted, it is left free after 16 grants, and 1 s if each client
-- in line has had four turns since, or 2.5 s: all clients join the line again afterwards, which costs a script for each.
-- include shared/draw.lua
-- include shared/busy.lua
local lock, tokens, owner, tenure, holds = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local channel, publish = ARGV[4], ARGV[5]
local numsub = publish == 'SPUBLISH' and 'SHARDNUMSUB' or 'NUMSUB'
local seen = redis.call('HMGET', lock, owner .. ':tenure', 'line')
local mine, line = tonumber(seen[1] or 0), seen[2]

if mine > tenure then
  return mine
end
-- Not that of another kind, which has a field mode.
local older = mine > 0 and mine < tenure and holds == 0 and not redis.call('HGET', lock, 'mode')
local held = mine == tenure or older
if held and holds > 0 then
  redis.call('HSET', lock, owner, holds)
  return tenure
end

-- Has the first client that is subscribed, from this place on, watch over a lease; not the one that was granted it.
local function watch(at, last, lease, granted)
  while at <= last do
    local entry = redis.call('HGET', lock, 'line:' .. string.format('%d', at))
    local client = entry and entry:match('^(%S+):')
    local watches = client and client ~= granted
    local receivers = watches and redis.pcall(publish, channel .. ':' .. client, 'watch ' .. lease)
    if receivers and (type(receivers) == 'table' or receivers > 0) then
      return
    end
    at = at + 1
  end
end

local first, last, count, grants, opened
if line and holds == 0 then
  first, last, count, grants, opened = line:match('^(%d+) (%d+) (%d+) (%d+) (%d+)$')
end
if first then
  local client = owner:match('^(.*):')
  local places = redis.call('HMGET', lock, client .. ':line', owner .. ':line')
  for i, whose in ipairs({client, owner}) do
    local place = places[i]
    local waiter, number = string.match(place and redis.call('HGET', lock, 'line:' .. place) or '', '^(%S+) (%d+)')
    -- A client that releases the lock has no use for an older entry of any owner, and adds a newer one afterwards.
    if waiter and tonumber(number) <= tenure and (held or waiter == owner) then
      -- The entry first: a count that is too high does no harm, and Redis refuses nothing for lack of memory afterwards.
      if type(redis.pcall('HDEL', lock, 'line:' .. place, whose .. ':line')) == 'number' then
        count = string.format('%d', count - 1)
        redis.pcall('HSET', lock, 'line', table.concat({first, last, count, grants, opened}, ' '))
        -- If it was the first in line, the next one watches over the lease in its place.
        local left = not held and tonumber(count) > 0 and redis.call('PTTL', lock) or -2
        local at = tonumber(first)
        while left >= 0 and at < tonumber(place) and not redis.call('HGET', lock, 'line:' .. string.format('%d', at)) do
          at = at + 1
        end
        if left >= 0 and at >= tonumber(place) then
          watch(at + 1, tonumber(last), math.max(left, 1))
        end
      end
    end
  end
end

if not held then
  local left = mine == 0 and redis.call('PTTL', lock) or -2
  if left == -2 then
    return 0
  end
  return busy(left)
end

local others, left = -1, nil
if first and tonumber(count) > 0 then
  local time = redis.pcall('TIME')
  local now = time.err and '0' or string.format('%d%06d', time[1], time[2])
  local since = now - opened
  -- Without the right to read the time, the line's beginning distinguishes it from the next one as well.
  left = time.err and opened or now
  if since < 0 or (since >= 15000 and tonumber(grants) >= tonumber(count)) then
    local heard = redis.pcall('PUBSUB', numsub, channel, channel .. ':line')
    others = heard.err and 1 or math.max(0, heard[2] - heard[4])
    local turns = tonumber(grants) >= 4 * count and since >= 1000000
    local due = not ARGV[6] and tonumber(grants) >= 16 and (turns or since >= 2500000)
    if since >= 0 and others == 0 and not due then
      others = -1
    end
  end
  local gone = owner
  first, count, grants = tonumber(first), tonumber(count), tonumber(grants)
  -- Deletes no field: without the permission for HDEL, nothing can be granted.
  local grantable = others < 0 and type(redis.pcall('HDEL', lock, '')) == 'number'
  while grantable and count > 0 and first <= tonumber(last) do
    local at = 'line:' .. string.format('%d', first)
    local entry = redis.call('HGET', lock, at)
    first = first + 1
    local to, number, lease, fenced, label = string.match(entry or '', '^(%S+:%S*) (%d+) (%d+) ([01]) (.*)$')
    if to then
      local client = to:match('^(.*):')
      count, grants = count - 1, grants + 1
      -- Before anything is changed. A refusal is reported to the new owner, when it draws one.
      local drawn, token
      if fenced == '1' and tokens then
        drawn, token = pcall(draw, tokens)
      end
      redis.call('HDEL', lock, at, client .. ':line', to .. ':line', gone, gone .. ':tenure', gone .. ':token', gone:match('^.*:') .. 'label')
      local fields = {to, 1, to .. ':tenure', number, 'line', string.format('%d %s %d %d %s', first, last, count, grants, opened)}
      if label ~= '' then
        fields[7], fields[8] = client .. ':label', label
      end
      if drawn then
        fields[#fields + 1] = to .. ':token'
        fields[#fields + 1] = token
      end
      local written = redis.pcall('HSET', lock, unpack(fields))
      if type(written) == 'table' then
        break
      end
      -- Before the message: its receiver has the lock for that long.
      if type(redis.pcall('PEXPIRE', lock, lease)) == 'table' then
        break
      end
      -- Not the number of receivers alone: it includes those of patterns, such as monitoring tools.
      local message = table.concat({to, number, now, drawn and token or nil}, ' ')
      local heard = redis.pcall('PUBSUB', numsub, channel .. ':' .. client)
      local told = (heard.err or heard[2] > 0) and redis.pcall(publish, channel .. ':' .. client, message)
      if type(told) == 'number' and told > 0 then
        if count > 0 then
          watch(first, tonumber(last), lease, client)
        end
        return {older and 0 or tenure, told, -1}
      end
      if type(told) == 'table' then
        break
      end
      gone = to
    end
  end
end

redis.call('DEL', lock)
if others >= 0 then
  redis.pcall(publish, channel .. ':line', string.format('%d %s', others, left))
end
local told = redis.pcall(publish, channel, '0')
if type(told) == 'table' and told.err then
  return {older and 0 or tenure, told.err}
end
if others >= 0 then
  return {older and 0 or tenure, told, others, left}
end
if older then
  return 0
end
return told > 0 and {tenure, told} or tenure
