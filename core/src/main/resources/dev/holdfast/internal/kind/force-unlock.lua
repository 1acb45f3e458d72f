-- force-unlock.lua: releases the lock, whichever owner holds it, and notifies the waiters.
--   KEYS[1]  lock     any key
--   ARGV[1]  channel  on which releases are published
--   ARGV[2]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
--   ARGV[3]  message  0, or 1 for a read-write lock: Redisson's message for all who wait for one
-- Returns 1 when the lock was held,
--         1 and an error message when it was held but the message was refused,
--         0 when no owner held it,
--         an error when the key holds a lock of another kind, which it names behind WRONGKIND; the lock is then unchanged.
-- A key that is no hash is deleted: it is no lock of any kind.
local lock, channel, publish, message = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local mode = redis.pcall('HGET', lock, 'mode')

if message == '0' and type(mode) == 'string' then
  return {err = 'WRONGKIND read-write lock'}
end
if message == '1' and not mode and redis.call('PTTL', lock) ~= -2 then
  return {err = 'WRONGKIND exclusive lock'}
end
if redis.call('DEL', lock) == 0 then
  return 0
end
local told = redis.pcall(publish, channel, message)
if type(told) == 'table' and told.err then
  return {1, told.err}
end
return 1
