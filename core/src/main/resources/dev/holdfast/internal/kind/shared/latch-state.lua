-- shared/latch-state.lua: reads a latch, and declares how a script writes to it; the first statements of a script.
-- Takes the locals latch and record; and client, nil in a script that writes no fields.
-- Sets the locals
--   text, count, lives, kept  the count as it is stored and as a number, 0 if there is none; how long both keys live
--   generation, how, renewal, since, gone   the parts of the field state, as latch-set.lua has them; how it ended is
--                   concluded where no command of ours has recorded that
--   present         the generation of the present count; '0' if there is none, or it is not ours
--   last, result    of the client's last command
-- A count of ours has an expiry, and the record of it lives KEPT longer. So a count without expiry was set by Redisson. Ours,
-- then, has expired if the record does not live longer than that, and else Redisson has counted it to zero.
local KEPT = 600000
local text = redis.call('GET', latch)
local count, lives, kept = tonumber(text or 0), redis.call('PTTL', latch), redis.call('PTTL', record)
local seen = redis.call('HMGET', record, 'state', client or '')
local generation, how, renewal, since, gone = string.match(seen[1] or '0 none 0 0 none', '^(%d+) (%w+) (%d+) (%d+) (%w+)$')
local last, result = string.match(seen[2] or '0 0', '^(%d+) (%d+)$')
last = tonumber(last)
if not count or not generation or not last then
  return {err = 'NOLATCH the keys do not hold a latch'}
end
if how == 'counting' and lives < 0 then
  how = kept <= KEPT and 'expired' or 'open'
  gone = how == 'expired' and how or gone
end
local present = how == 'counting' and generation or '0'

if client then
  -- Change nothing: if a permission is missing, this fails before anything was changed. After the first one, Redis refuses no
  -- write for lack of memory.
  redis.call('HDEL', record, '')
  if kept == -2 then
    redis.call('PEXPIRE', record, KEPT)
  end
end

-- Records a command and its result, and the state, and then changes the count. Returns the error of that change, after
-- having restored the fields; nil if there is none.
local function write(number, done, change)
  local command = table.concat({number, done}, ' ')
  local state = table.concat({generation, how, renewal, since, gone}, ' ')
  redis.call('HSET', record, client, command, 'state', state)
  if kept == -2 then
    redis.call('PEXPIRE', record, math.max(lives, 0) + KEPT)
  end
  local changed = change and change()
  if type(changed) ~= 'table' or not changed.err then
    return nil
  end
  if seen[1] then
    redis.call('HSET', record, 'state', seen[1])
  else
    redis.call('HDEL', record, 'state')
  end
  if seen[2] then
    redis.call('HSET', record, client, seen[2])
  else
    redis.call('HDEL', record, client)
  end
  return changed
end

-- Has both keys live for their renewal from now on, if they are renewed. The record first, so that it never seems to live
-- longer than KEPT after a count that has expired.
local function prolong()
  if present ~= '0' and renewal ~= '0' then
    redis.pcall('PEXPIRE', record, renewal + KEPT)
    redis.pcall('PEXPIRE', latch, renewal)
    lives = tonumber(renewal)
  end
end
