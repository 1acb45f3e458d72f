-- sem-renew.lua: extends the leases of many holds of semaphores, each independently: an invalid key does not affect the others.
--   KEYS[i]      lock    hash, as sem-acquire.lua describes it; the same one for each of its holds
--   ARGV[3i-2]   owner   "<client>:<owner id>"
--   ARGV[3i-1]   tenure  the hold that is renewed
--   ARGV[3i]     lease   milliseconds; never shortens what is left; 0 to check only whether the hold is there
-- Returns for each key the tenure when it was held and its lease is now at least that long,
--         a newer tenure of the same owner when this command came late and had no effect,
--         0 when the owner has no permits, an older tenure has, or the hold has ended,
--         an error message when the key cannot be read as a semaphore.
-- A hold that has ended is not revived, although nobody has looked: its permits may be granted at any moment.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- The leases that are known to end before their keys.
local lives = {}
local function renew(lock, owner, tenure, lease)
  local hold = redis.call('HGET', lock, 'hold:' .. owner)
  local number, permits, till, label = string.match(hold or '0 0 0 0 ', '^(%d+) (%d+ %d+) (%d+) (.*)$')
  local mine = tonumber(number)
  if mine > tenure then
    return mine
  end
  if mine < tenure or tonumber(till) <= now then
    return 0
  end
  if tonumber(till) < now + lease then
    -- The key first: it never ends before a hold.
    if (lives[lock] or 0) < lease then
      -- Deletes no field: Redis refuses no further write for lack of memory.
      redis.call('HDEL', lock, '')
      if redis.call('PTTL', lock) < lease + 30000 then
        redis.call('PEXPIRE', lock, lease + 60000)
      end
      lives[lock] = lease
    end
    redis.call('HSET', lock, 'hold:' .. owner, string.format('%s %s %d %s', number, permits, now + lease, label))
  end
  return tenure
end

local answers = {}
for i, lock in ipairs(KEYS) do
  local at = 3 * i
  local ok, answer = pcall(renew, lock, ARGV[at - 2], tonumber(ARGV[at - 1]), tonumber(ARGV[at]))
  if not ok then
    answer = type(answer) == 'table' and answer.err or tostring(answer)
  end
  answers[i] = answer
end
return answers
