-- shared/sem-state.lua: reads the state of a semaphore and the server's time, and has the steps that change holds.
-- Takes the locals lock and seen, whose first element is the field state; it may be missing.
-- Returns an error from the script if that has another format; nothing is changed then.
-- Redis may refuse a command half way. So a hold is written together with the state, and deleted before it: at any time
-- at least as many permits are counted as there are, and look() counts them again.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local held, top, due, named, first, last, count, free = 0, 0, 0, 0, 1, 0, 0, ''
-- Whether the stored state differs from these; something was written then.
local dirty = false
if seen[1] then
  held, top, due, named, first, last, count, free =
    seen[1]:match('^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)(.*)$')
  if not held then
    return {err = 'HOLDFAST the semaphore has an unknown format'}
  end
  held, top, due, named = tonumber(held), tonumber(top), tonumber(due), tonumber(named)
  first, last, count = tonumber(first), tonumber(last), tonumber(count)
end
local function state()
  return string.format('%d %d %d %d %d %d %d%s', held, top, due, named, first, last, count, free)
end
local function save()
  redis.call('HSET', lock, 'state', state())
  dirty = false
end
-- The tenure, permits, number, end and label of a hold; a tenure of 0 if there is none.
local function parts(hold)
  local tenure, permits, number, till, label = string.match(hold or '', '^(%d+) (%d+) (%d+) (%d+) (.*)$')
  return tonumber(tenure or 0), tonumber(permits), tonumber(number), tonumber(till), label
end

-- Deletes no field: Redis refuses no further write of this script for lack of memory.
local function writable()
  redis.call('HDEL', lock, '')
end

-- Looks at all holds, and drops those that have ended. The next look is not sooner than 0.1 ms for each hold, so that it
-- takes the server a few hundredths of its time at most.
local function look()
  writable()
  local used, numbers, holds, earliest = {}, {}, 0, nil
  local all = redis.call('HGETALL', lock)
  held, top = 0, 0
  for i = 1, #all, 2 do
    local of = all[i]:match('^hold:(.*)$')
    if of then
      local _, permits, number, till = parts(all[i + 1])
      if till <= now then
        redis.call('HDEL', lock, 'hold:' .. of)
      else
        held, top, holds, used[number] = held + permits, math.max(top, number), holds + 1, true
        earliest = math.min(earliest or till, till)
      end
    end
  end
  for number = 1, top do
    numbers[#numbers + 1] = not used[number] and string.format(' %d', number) or nil
  end
  free = table.concat(numbers)
  due = math.max(earliest or now, now + math.floor(holds / 10))
  dirty = true
end

-- The hold of an owner ends.
local function give(whose, permits, number)
  redis.call('HDEL', lock, 'hold:' .. whose)
  held = held - permits
  free = string.format(' %d%s', number, free)
  dirty = true
end

-- Writes a hold whose permits are counted already. A short lease does not make the next look sooner than look() does. The
-- key lives longer, by half a minute at least: the line outlives the holds, and the attempt of its first client finds it.
local function put(whose, tenure, permits, number, till, label)
  due = held == permits and till or math.min(due, math.max(till, now + math.floor(top / 10)))
  local left, wanted = seen[1] and redis.call('PTTL', lock) or -2, till - now
  if left < wanted + 30000 then
    -- For a missing key this only checks the permission, before there is one that could remain without expiry.
    redis.call('PEXPIRE', lock, wanted + 60000)
  elseif not dirty then
    writable()
  end
  local hold = string.format('%d %d %d %d %s', tenure, permits, number, till, label)
  redis.call('HSET', lock, 'hold:' .. whose, hold, 'state', state())
  if left == -2 then
    redis.call('PEXPIRE', lock, wanted + 60000)
  end
  dirty = false
end

-- Gives an owner permits, which are free: so one of the numbers up to the limit is.
-- Returns that number.
local function take(whose, tenure, permits, limit, lease, label)
  local number
  for from, each, to in free:gmatch('() (%d+)()') do
    if tonumber(each) <= limit then
      number, free = tonumber(each), free:sub(1, from - 1) .. free:sub(to)
      break
    end
  end
  if not number then
    top = top + 1
    number = top
  end
  held = held + permits
  put(whose, tenure, permits, number, now + lease, label)
  return number
end
