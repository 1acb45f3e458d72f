-- renew.lua: extends the leases of many holds, each independently: an invalid key does not affect the others.
--   KEYS[i]      lock    hash: owner -> hold count, owner:tenure -> tenure
--   ARGV[3i-2]   owner   "<client>:<owner id>"
--   ARGV[3i-1]   tenure  the hold that is renewed
--   ARGV[3i]     lease   milliseconds, > 0; never shortens what is left
-- Returns for each key the tenure when it was held and its lease is now at least that long,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when no owner holds the lock, or an older tenure of the same owner does,
--         an error message when the key cannot be read as a lock.
-- include shared/busy.lua
local function renew(lock, owner, tenure, lease)
  local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
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
  if left < lease then
    redis.call('PEXPIRE', lock, lease)
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
