-- handoff.lua: hands the lock off to another owner of the same client; it is not free at any moment in between.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure, owner:token -> token of a fenced hold
--   KEYS[2]  tokens   only for a fenced lock: the last token that was drawn for it
--   ARGV[1]  owner    "<client>:<owner id>" of the new owner
--   ARGV[2]  tenure   number of its hold, grows within a client
--   ARGV[3]  lease    milliseconds, > 1, of its hold; replaces the rest of the previous lease
--   ARGV[4..] from    pairs (owner, tenure) that may hold the lock now: one, or every unanswered handoff of the chain
-- Returns the tenure when the new hold has the lock after this call; for a fenced lock the tenure and its token,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of the lease when any other hold has the lock, -2^52 when it has no end,
--         0 when no owner holds the lock,
--         an error when Redis refuses a part of it; the lock is then unchanged.
-- Idempotent, since the previous hold is gone at the second run. A late run finds neither hold and has no effect.
-- include shared/draw.lua
-- include shared/busy.lua
local lock, tokens = KEYS[1], KEYS[2]
local owner, tenure, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local tenures = {owner .. ':tenure'}
for i = 4, #ARGV, 2 do
  tenures[i / 2] = ARGV[i] .. ':tenure'
end
local seen = redis.call('HMGET', lock, unpack(tenures))
local mine = tonumber(seen[1] or 0)

if mine > tenure then
  return mine
end
if mine == tenure then
  local token = tokens and redis.call('HGET', lock, owner .. ':token')
  if redis.call('PTTL', lock) < lease then
    redis.call('PEXPIRE', lock, lease)
  end
  return token and {tenure, token} or tenure
end
for i = 4, #ARGV, 2 do
  local from, before = ARGV[i], ARGV[i + 1]
  if seen[i / 2] == before then
    -- Deletes no field: if the permission for HDEL is missing, this must fail before anything was changed.
    redis.call('HDEL', lock, '')
    local holds = from == owner and redis.call('HGET', lock, owner)
    local token = tokens and draw(tokens)
    redis.call('HSET', lock, owner, 1, owner .. ':tenure', ARGV[2])
    local set = redis.pcall('PEXPIRE', lock, lease)
    if type(set) == 'table' then
      if from == owner then
        redis.call('HSET', lock, owner, holds, owner .. ':tenure', before)
      else
        redis.call('HDEL', lock, owner, owner .. ':tenure')
      end
      return set
    end
    if from ~= owner then
      redis.call('HDEL', lock, from, from .. ':tenure', from .. ':token')
    end
    if token then
      redis.call('HSET', lock, owner .. ':token', token)
    end
    return token and {tenure, token} or tenure
  end
end
local left = redis.call('PTTL', lock)
if left == -2 then
  return 0
end
return busy(left)
