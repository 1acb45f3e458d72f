-- close-after.lua: ends a hold, but keeps other owners out for a while: the key stays until then, without an owner.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure
--   ARGV[1]  owner    "<client>:<owner id>", which has this hold only
--   ARGV[2]  tenure   the hold that is ended
--   ARGV[3]  closed   a newer tenure, which no hold has; the key is left with it, so that later commands for the hold
--                     have no effect
--   ARGV[4]  left     milliseconds, > 1, to keep others out; replaces the rest of the lease, shorter or longer
--   ARGV[5]  channel  on which releases are published
--   ARGV[6]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
--   ARGV[7]  message  0, or 1 for a read-write lock: Redisson's message for all who wait for one
-- Returns the tenure when it was held and is ended now, or was ended by an earlier run of this command,
--         the tenure and an error message when this shortened the lease, and the message about it was refused,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when no owner holds the lock, or an older tenure of the same owner does,
--         an error when Redis refuses a part of it; the lock is then unchanged.
-- A shortened lease is published, although the lock is not free: a waiter sleeps until the end of the lease as of its
-- last attempt, so it must try once more to get the new end.
-- include shared/busy.lua
-- include shared/restore.lua
local lock, owner, tenure, closed, wanted = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, publish, message = ARGV[5], ARGV[6], ARGV[7]
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
  return busy(left)
end
redis.call('PEXPIRE', lock, wanted)
local written = redis.pcall('HSET', lock, owner, 1, owner .. ':tenure', ARGV[3])
if type(written) == 'table' then
  restore(lock, left)
  return written
end
local told = left > wanted and redis.pcall(publish, channel, message)
if type(told) == 'table' then
  return {tenure, told.err}
end
return tenure
