-- release.lua: releases one level of a hold, or the lock, which notifies the waiters.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   the hold that is released
--   ARGV[3]  holds    the count after this call, 0 to release the lock
--   ARGV[4]  channel  on which releases are published
--   ARGV[5]  publish  the command to publish it: PUBLISH, or SPUBLISH on a cluster
-- Returns the tenure when it was held and now has that count,
--         the tenure and the number of clients that received the message when the lock was released and any did,
--         the tenure and an error message when the lock was released but the message was refused,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0, or 0 and an error message as above, when an older tenure of the same owner was released: an owner that
--         releases a tenure does not use an older one, and an acquire that was sent again with another tenure would
--         otherwise leave its first one behind,
--         0 when no owner holds the lock, or an older tenure does and holds > 0.
-- The lease is unchanged: its rest remains after a partial release.
-- include shared/busy.lua
local lock, owner, tenure, holds = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local channel, publish = ARGV[4], ARGV[5]
local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)

if mine > tenure then
  return mine
end
local older = mine > 0 and mine < tenure and holds == 0
if mine ~= tenure and not older then
  local left = mine == 0 and redis.call('PTTL', lock) or -2
  if left == -2 then
    return 0
  end
  return busy(left)
end
if holds > 0 then
  redis.call('HSET', lock, owner, holds)
  return tenure
end
redis.call('DEL', lock)
local told = redis.pcall(publish, channel, '0')
if type(told) == 'table' and told.err then
  return {older and 0 or tenure, told.err}
end
if older then
  return 0
end
return told > 0 and {tenure, told} or tenure
