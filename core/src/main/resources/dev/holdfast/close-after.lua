-- close-after.lua: gives a hold up, but keeps others out for a while: the key stays until then, and nobody holds it.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure
--   ARGV[1]  owner    "<client>:<owner id>", an owner of this one hold
--   ARGV[2]  tenure   the hold that is given up
--   ARGV[3]  closed   a newer tenure, which nobody has; the lock is left with that, so that no later command about the hold
--                     has anything to do with it
--   ARGV[4]  left     milliseconds, > 0, that others are kept out; replaces what is left of the lease, shorter or longer
--   ARGV[5]  channel  where a release is announced
--   ARGV[6]  publish  the command that announces it: PUBLISH, or SPUBLISH on a cluster
-- Returns the tenure when it was held and is given up now, or was by an earlier run of this command,
--         the tenure and an error message when that ends before the lease would have, and to say so was refused,
--         a newer tenure of the same owner when this command came late, and nothing was done,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when nobody holds the lock, or an older tenure of the same owner,
--         an error when Redis refuses a part of it; the lock is then as it was.
-- What is shortened is announced, although nothing is free: who waits sleeps until the end of the lease as it was when he
-- tried last, so he has to try once more to learn the new one.
local lock, owner, tenure, closed, wanted = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, publish = ARGV[5], ARGV[6]
local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
local left = redis.call('PTTL', lock)

if mine == closed then
  return tenure
end
if mine > tenure then
  return mine
end
if mine < tenure then
  if mine ~= 0 or left == -2 then
    return 0
  end
  return left == -1 and -2^52 or -math.max(left, 1)
end
redis.call('PEXPIRE', lock, wanted)
local written = redis.pcall('HSET', lock, owner, 1, owner .. ':tenure', ARGV[3])
if type(written) == 'table' then
  if left > 0 then
    redis.call('PEXPIRE', lock, left)
  end
  return written
end
local told = left > wanted and redis.pcall(publish, channel, '0')
if type(told) == 'table' then
  return {tenure, told.err}
end
return tenure
