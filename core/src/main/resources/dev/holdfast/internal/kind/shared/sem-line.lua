-- shared/sem-line.lua: the line of clients of a semaphore; after shared/sem-state.lua.
-- Takes the locals lock, owner, number, the tenure as it was received, channel, publish, and client, that of the owner.
local numsub = publish == 'SPUBLISH' and 'SHARDNUMSUB' or 'NUMSUB'
-- How many clients were notified of a grant, and what was refused of that.
local told, refusal = 0, nil

-- Has a client watch over the holds. Returns how many received that, or an error.
local function watch(whose)
  return redis.pcall(publish, channel .. ':' .. whose, 'watch ' .. string.format('%d', math.max(due - now, 1)))
end

local function stamp()
  return string.format('%d%06d', time[1], time[2])
end

-- The owner does not wait any more: its client has no entry, and keeps its place until that is passed.
local function leave(place)
  writable()
  count = count - 1
  redis.call('HSET', lock, 'line:' .. place, string.format('%s:', client), 'state', state())
  dirty = false
end

-- Grants permits to the clients in line, in their order, until the first of them has to wait: none is passed by another. A
-- client that is not subscribed, or has left, loses its place. If another client is the first now, it watches over the holds.
-- If the tenure of the command itself is granted, it is with that lease, and the reply says so, not a message.
-- Returns the tenure that was granted to the owner of the command, 0 if none, and its number.
local function serve(lease)
  local before, mine, slot = first, 0, nil
  while first <= last do
    local at = 'line:' .. string.format('%d', first)
    local entry = redis.call('HGET', lock, at) or ''
    local to, tenure, permits, limit, granted, label = entry:match('^(%S+) (%d+) (%d+) (%d+) (%d+) (.*)$')
    local whose = entry:match('^(%S*):') or ''
    local heard = to and redis.pcall('PUBSUB', numsub, channel .. ':' .. whose)
    -- Without the right to count subscribers, the receivers of a message show whether there is one.
    local listens = to and (heard.err and watch(whose) or heard[2]) ~= 0
    if listens and held + permits > tonumber(limit) then
      if first > before and to ~= owner then
        watch(whose)
      end
      break
    end
    redis.call('HDEL', lock, at, whose .. ':line')
    first = first + 1
    count = count - (to and 1 or 0)
    dirty = true
    if listens then
      local own = to == owner and tenure == number
      local given = take(to, tonumber(tenure), tonumber(permits), tonumber(limit), own and lease or tonumber(granted), label)
      if to == owner then
        mine, slot = tonumber(tenure), given
      end
      if not own then
        local message = table.concat({to, tenure, stamp(), given}, ' ')
        local receivers = redis.pcall(publish, channel .. ':' .. whose, message)
        refusal = type(receivers) == 'table' and receivers.err or refusal
        told = told + 1
      end
    end
  end
  return mine, slot
end
