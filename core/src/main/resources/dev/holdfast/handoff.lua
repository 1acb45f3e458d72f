-- handoff.lua: passes the lock on to another owner of the same client; there is no moment in which nobody has it.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure, owner:token -> token of a fenced hold
--   KEYS[2]  tokens   of a fenced lock, and only of one: the last token that was drawn for it
--   ARGV[1]  owner    "<client>:<owner id>" of who is to have it
--   ARGV[2]  tenure   number of that hold, grows within a client
--   ARGV[3]  lease    milliseconds, > 0, of that hold; replaces what is left of the one before
--   ARGV[2i] ...      for each i > 1 an owner, and its tenure after it, who may have the lock now: one, or all of a row of
--                     handoffs without an answer
-- Returns the tenure when that hold has the lock after this call; of a fenced lock the tenure and its token,
--         a newer tenure of the same owner when this command came late, and nothing was done,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when nobody holds the lock,
--         an error when Redis refuses a part of it; the lock is then as it was.
-- The token is drawn as in acquire.lua.
-- Twice is as good as once, since the hold before is gone by then; late, it finds neither and does nothing.
local lock, tokens = KEYS[1], KEYS[2]
local owner, tenure, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local tenures = {owner .. ':tenure'}
for i = 4, #ARGV, 2 do
  tenures[i / 2] = ARGV[i] .. ':tenure'
end
local seen = redis.call('HMGET', lock, unpack(tenures))
local mine = tonumber(seen[1] or 0)

-- Of strings, for a number of Lua's is exact only up to 2^53.
local function draw()
  local time = redis.call('TIME')
  local now = string.format('%d%06d', time[1], time[2])
  local last = tonumber(redis.call('GET', tokens) or 0)
  if last and last < tonumber(now) then
    redis.call('SET', tokens, now)
    return now
  end
  redis.call('INCR', tokens)
  return redis.call('GET', tokens)
end

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
    -- Of no field there is: if the right to HDEL is missing, it must turn out before anything was done.
    redis.call('HDEL', lock, '')
    local holds = from == owner and redis.call('HGET', lock, owner)
    local token = tokens and draw()
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
return left == -1 and -2^52 or -math.max(left, 1)
