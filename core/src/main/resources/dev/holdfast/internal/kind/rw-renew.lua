-- rw-renew.lua: extends the leases of many holds of read-write locks, each independently: an invalid key does not affect the
-- others.
--   KEYS[i]      lock    hash, as rw-acquire.lua describes it
--   ARGV[3i-2]   owner   "<client>:<owner id>"
--   ARGV[3i-1]   tenure  the hold that is renewed
--   ARGV[3i]     lease   milliseconds, > 1; never shortens what is left
-- Returns for each key the tenure when it was held and its lease is now at least that long,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when no owner holds the lock, or an older tenure of the same owner does,
--         an error message when the key cannot be read as a lock.
-- A reader's lease that has ended is extended if its hold is still there: no writer has had the lock since.
-- include shared/busy.lua
local function renew(lock, owner, tenure, lease)
  local seen = redis.call('HMGET', lock, owner .. ':tenure', owner .. ':until')
  local mine = tonumber(seen[1] or 0)
  local left = redis.call('PTTL', lock)
  if mine > tenure then
    return mine
  end
  if mine < tenure then
    if mine ~= 0 or left == -2 then
      return 0
    end
    return busy(left)
  end
  local time = seen[2] and redis.call('TIME')
  -- The key first: it never ends before the lease of a reader. After this, Redis does not refuse the rest for lack of memory.
  if time or left < lease then
    redis.call('PEXPIRE', lock, math.max(left, lease))
  end
  if time then
    local till, label = seen[2]:match('^(%d+) (.*)$')
    local ends = time[1] * 1000 + math.floor(time[2] / 1000) + lease
    if tonumber(till) < ends then
      redis.call('HSET', lock, owner .. ':until', string.format('%d %s', ends, label))
    end
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
