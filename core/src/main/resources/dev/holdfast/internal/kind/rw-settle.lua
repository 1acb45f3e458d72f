-- rw-settle.lua: gives a read hold the lock again at a node that missed it, in place of a read hold that the same client has
-- released.
--   KEYS[1]  lock    hash, as rw-acquire.lua describes it
--   ARGV[1]  owner   "<client>:<owner id>" of the hold
--   ARGV[2]  tenure  number of the hold, grows within a client
--   ARGV[3]  lease   milliseconds, > 1, that it has left
--   ARGV[4]  label   of the client; empty if it has none
--   ARGV[5..] from   pairs (owner, tenure) of readers that were released: this tenure, and each older one of that owner
-- Returns the tenure when the hold has the lock after this call,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of the lease when only others have the lock, -2^52 when it has no end,
--         0 when no owner holds the lock,
--         an error when Redis refuses a part of it; the lock is then unchanged.
-- Never joins a lock in which no released hold is left: a writer may have had it since. Idempotent, since the previous hold is
-- gone at the second run. A late run finds neither hold and has no effect.
-- include shared/busy.lua
-- include shared/restore.lua
local lock, owner, tenure, lease, label = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local seen = redis.call('HMGET', lock, owner .. ':tenure', 'mode', 'writers', 'readers')
local mine = tonumber(seen[1] or 0)
local left = redis.call('PTTL', lock)

if mine >= tenure then
  return mine
end
for i = 5, seen[2] == 'shared' and #ARGV or 0, 2 do
  local from = ARGV[i]
  local found = tonumber(redis.call('HGET', lock, from .. ':tenure') or 0)
  if found > 0 and found <= tonumber(ARGV[i + 1]) then
-- include shared/rw-state.lua
    local time = redis.call('TIME')
    local till = time[1] * 1000 + math.floor(time[2] / 1000) + lease
    -- Deletes no field: if the permission for HDEL is missing, this must fail before anything was changed.
    redis.call('HDEL', lock, '')
    -- The key first: it never ends before the lease of a reader. After this, Redis does not refuse the rest for lack of memory.
    redis.call('PEXPIRE', lock, math.max(left, lease))
    r.due = math.min(r.due, till)
    if mine > 0 and from ~= owner then
      r.holding = r.holding - 1
    end
    local written = redis.pcall('HSET', lock, owner, 1, owner .. ':tenure', ARGV[2],
      owner .. ':until', string.format('%d %s', till, label), 'readers', readers())
    if type(written) == 'table' then
      restore(lock, left)
      return written
    end
    if from ~= owner then
      redis.call('HDEL', lock, from, from .. ':tenure', from .. ':until')
    end
    return tenure
  end
end
if left == -2 then
  return 0
end
return busy(left)
