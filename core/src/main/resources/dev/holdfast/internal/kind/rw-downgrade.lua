-- rw-downgrade.lua: turns a write hold into a read hold; no writer has the lock in between. All readers in line join it.
--   KEYS[1]  lock     hash, as rw-acquire.lua describes it
--   ARGV[1]  owner    "<client>:<owner id>" of the write hold
--   ARGV[2]  tenure   the write hold
--   ARGV[3]  reader   "<client>:<owner id>" of the read hold, an id that had no hold before
--   ARGV[4]  next     number of the read hold, larger than the tenure
--   ARGV[5]  lease    milliseconds, > 1, of the read hold; replaces the rest of the write hold's lease
--   ARGV[6]  channel  on which releases are published; rw-release.lua has those of grants
--   ARGV[7]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
--   ARGV[8]  label    of the client; missing or empty if it has none
-- Returns the tenure when the read hold has the lock after this call,
--         the tenure and the number of writers that wait, if any: the client admits no more readers to that hold,
--         a newer tenure of the write hold's owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when no owner holds the lock, or the same owner holds it with an older tenure, or not as a writer,
--         an error when Redis refuses a part of it; the lock is then unchanged.
-- The write hold ends with all its levels. Idempotent, since the read hold is found at the second run. A late run finds
-- neither hold and has no effect.
-- include shared/busy.lua
-- include shared/restore.lua
local lock, owner, tenure, reader, number = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local lease, channel, publish, label = tonumber(ARGV[5]), ARGV[6], ARGV[7], ARGV[8] or ''
local seen = redis.call('HMGET', lock, owner .. ':tenure', 'mode', 'writers', 'readers', reader .. ':tenure')
local mine = tonumber(seen[1] or 0)
local left = redis.call('PTTL', lock)

if mine > tenure then
  return mine
end
local again = seen[5] == number
if (mine < tenure or seen[2] ~= 'write') and not again then
  if mine ~= 0 or left == -2 then
    return 0
  end
  return busy(left)
end
-- include shared/rw-state.lua
if not again then
  local time = redis.call('TIME')
-- include shared/rw-grant.lua
  -- Deletes no field: if the permission for HDEL is missing, this must fail before anything was changed.
  redis.call('HDEL', lock, '')
  redis.call('PEXPIRE', lock, lease)
  r.holding = 0
  admit(nowMs + lease)
  local till = string.format('%d %s', nowMs + lease, label)
  local written = redis.pcall('HSET', lock, 'mode', 'shared', 'readers', readers(),
    reader, 1, reader .. ':tenure', number, reader .. ':until', till)
  if type(written) == 'table' then
    restore(lock, left)
    return written
  end
  redis.call('HDEL', lock, owner, owner .. ':tenure', owner:match('^.*:') .. 'label')
  joinReaders()
end
return w.count > 0 and {tenure, w.count} or tenure
