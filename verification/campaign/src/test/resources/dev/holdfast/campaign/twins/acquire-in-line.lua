-- acquire-in-line.lua: acquires the lock, or adopts an older tenure of its owner, or joins the line, which has one place.
--   KEYS[1]  lock     hash: owner -> holds, owner:tenure -> tenure, line -> "<owner> <tenure>"
--   ARGV[1]  owner
--   ARGV[2]  tenure   the number of this attempt
--   ARGV[3]  lease    milliseconds
--   ARGV[4]  joins    1 to join the line, 0 only to look
-- Returns {1} if the lock is held after this call, {0, milliseconds left} if another owner has it.
local lock, owner = KEYS[1], ARGV[1]
local left = redis.call('PTTL', lock)
if left ~= -2 and redis.call('HEXISTS', lock, owner) == 0 then
  if ARGV[4] == '1' then
    redis.call('HSET', lock, 'line', owner .. ' ' .. ARGV[2])
  end
  return {0, left}
end
redis.call('HSET', lock, owner, 1, owner .. ':tenure', ARGV[2])
redis.call('PEXPIRE', lock, ARGV[3])
return {1}
