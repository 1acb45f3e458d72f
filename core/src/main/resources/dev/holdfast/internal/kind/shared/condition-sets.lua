-- shared/condition-sets.lua: the wait sets of the conditions of a lock.
-- Takes the locals conditions and channel, and publish, the command to publish on "<channel>:<client>:signals".
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Publishes to one client. Returns how many received it, 0 if that was refused.
local function tell(client, message)
  local receivers = redis.pcall(publish, channel .. ':' .. client .. ':signals', message)
  return type(receivers) == 'number' and receivers or 0
end

-- The owners at both ends of the wait set of a condition: nil if nobody waits.
local function ends(condition)
  return string.match(redis.call('HGET', conditions, 'queue:' .. condition) or '', '^(%S+) (%S+)$')
end
local function set_ends(condition, first, last)
  redis.call('HSET', conditions, 'queue:' .. condition, first .. ' ' .. last)
end

-- The wait of an owner: its ticket, its neighbours, "-" for none, and the condition; nil if it does not wait.
local function wait_of(owner)
  return string.match(redis.call('HGET', conditions, 'owner:' .. owner) or '', '^(%d+) (%S+) (%S+) (.*)$')
end
local function set_wait(owner, ticket, before, behind, condition)
  redis.call('HSET', conditions, 'owner:' .. owner, table.concat({ticket, before, behind, condition}, ' '))
end

-- Takes an owner out of the wait set in which it is, if it is with that ticket, or with any.
-- Returns its ticket, or nil if it was in none.
local function take(owner, ticket)
  local of, before, behind, condition = wait_of(owner)
  if not of or ticket and of ~= ticket then
    return nil
  end
  redis.call('HDEL', conditions, 'owner:' .. owner)
  local first, last = ends(condition)
  if before == '-' then
    first = behind
  else
    local number, one = wait_of(before)
    set_wait(before, number, one, behind, condition)
  end
  if behind == '-' then
    last = before
  else
    local number, _, other = wait_of(behind)
    set_wait(behind, number, before, other, condition)
  end
  if first == '-' then
    redis.call('HDEL', conditions, 'queue:' .. condition)
  else
    set_ends(condition, first, last)
  end
  return of
end

-- Empties all wait sets, and wakes the clients that are left: a signal may be lost.
local function rouse()
  local all = redis.call('HGETALL', conditions)
  for i = 1, #all, 2 do
    local client = all[i]:match('^client:(.*)$')
    if client then
      tell(client, 'rouse')
    else
      redis.call('HDEL', conditions, all[i])
    end
  end
end

-- The client is alive for so long. The key lives twice as long, at least.
local function live(client, lease)
  -- Deletes no field: Redis refuses no further write of this script for lack of memory.
  redis.call('HDEL', conditions, '')
  local left = redis.call('PTTL', conditions)
  if left < 2 * lease then
    -- For a missing key this only checks the permission, before there is one that could remain without expiry.
    redis.call('PEXPIRE', conditions, 2 * lease)
  end
  redis.call('HSET', conditions, 'client:' .. client, string.format('%d', now + lease))
  if left == -2 then
    redis.call('PEXPIRE', conditions, 2 * lease)
  end
end
