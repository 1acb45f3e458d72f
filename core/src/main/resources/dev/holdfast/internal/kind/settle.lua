-- settle.lua: gives a hold the lock again at a node that missed it, in place of a hold that the same client has released.
--   KEYS[1]  lock    hash: owner -> hold count, owner:tenure -> tenure, owner:token -> token of a fenced hold
--   ARGV[1]  owner   "<client>:<owner id>" of the hold
--   ARGV[2]  tenure  number of the hold, grows within a client
--   ARGV[3]  holds   its count
--   ARGV[4]  lease   milliseconds, > 1, that it has left; replaces the rest of the previous lease
--   ARGV[5]  token   the token of a fenced hold; empty if it has none
--   ARGV[6..] from   pairs (owner, tenure) that were released: this tenure, and each older one of that owner
-- Returns the tenure when the hold has the lock after this call,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of the lease when any other hold has the lock, -2^52 when it has no end,
--         0 when no owner holds the lock,
--         an error when Redis refuses a part of it; the lock is then unchanged.
-- Never acquires a free lock: another owner may have held it since. Idempotent, since the previous hold is gone at the
-- second run. A late run finds neither hold and has no effect.
-- include shared/busy.lua
local lock, owner, tenure, holds, lease, token = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local tenures = {owner .. ':tenure'}
for i = 6, #ARGV, 2 do
  tenures[i / 2 - 1] = ARGV[i] .. ':tenure'
end
local seen = redis.call('HMGET', lock, unpack(tenures))
local mine = tonumber(seen[1] or 0)

if mine >= tenure then
  return mine
end
for i = 6, #ARGV, 2 do
  local from, found = ARGV[i], tonumber(seen[i / 2 - 1] or 0)
  if found > 0 and found <= tonumber(ARGV[i + 1]) then
    -- Deletes no field: if the permission for HDEL is missing, this must fail before anything was changed.
    redis.call('HDEL', lock, '')
    local count = from == owner and redis.call('HGET', lock, owner)
    redis.call('HSET', lock, owner, holds, owner .. ':tenure', ARGV[2])
    local set = redis.pcall('PEXPIRE', lock, lease)
    if type(set) == 'table' then
      if from == owner then
        redis.call('HSET', lock, owner, count, owner .. ':tenure', seen[i / 2 - 1])
      else
        redis.call('HDEL', lock, owner, owner .. ':tenure')
      end
      return set
    end
    if from ~= owner then
      redis.call('HDEL', lock, from, from .. ':tenure')
    end
    redis.call('HDEL', lock, from .. ':token')
    if token ~= '' then
      redis.call('HSET', lock, owner .. ':token', token)
    end
    return tenure
  end
end
local left = redis.call('PTTL', lock)
if left == -2 then
  return 0
end
return busy(left)
