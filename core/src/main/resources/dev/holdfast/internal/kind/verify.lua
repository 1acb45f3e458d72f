-- verify.lua: checks whether holds still exist; changes nothing.
--   KEYS[i]      lock    hash: owner -> hold count, owner:tenure -> tenure
--   ARGV[2i-1]   owner   "<client>:<owner id>"
--   ARGV[2i]     tenure  the hold that is checked
-- Returns for each key the tenure when it is held,
--         a newer tenure of the same owner when this command came late,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when no owner holds the lock, or an older tenure of the same owner does,
--         an error message when the key cannot be read as a lock.
-- include shared/busy.lua
local function verify(lock, owner, tenure)
  local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
  if mine >= tenure then
    return mine
  end
  local left = mine == 0 and redis.call('PTTL', lock) or -2
  if left == -2 then
    return 0
  end
  return busy(left)
end

local answers = {}
for i, lock in ipairs(KEYS) do
  local ok, answer = pcall(verify, lock, ARGV[2 * i - 1], tonumber(ARGV[2 * i]))
  if not ok then
    answer = type(answer) == 'table' and answer.err or tostring(answer)
  end
  answers[i] = answer
end
return answers
