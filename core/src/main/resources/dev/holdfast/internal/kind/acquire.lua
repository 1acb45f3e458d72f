-- acquire.lua: acquires the lock, re-enters it, or returns how long to wait.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure, client:label -> label,
--                     owner:token -> token of a fenced hold
--   KEYS[2]  tokens   only for a fenced lock: the last token that was drawn for it
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   number of this hold, grows within a client
--   ARGV[3]  holds    the count after this call, 1 for a first acquire
--   ARGV[4]  lease    milliseconds, > 0; a first acquire sets it, a re-entry never shortens what is left
--   ARGV[5]  label    of the client, shown by inspect.lua; missing if it has none
-- Returns the tenure when the lock is held by it after this call; for a fenced lock the tenure and its token,
--         a newer tenure of the same owner when this command came late and had no effect,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when the hold to be re-entered is gone,
--         an error when Redis refuses a part of it; the lock is then unchanged, free or held, never without expiry.
-- A token is drawn with each new tenure.
-- Idempotent. A late run finds a newer tenure, or adopts an older one. An adoption is a new hold and sets its own
-- lease, shorter or longer than the one it finds: no caller uses the older tenure any more.
-- include shared/draw.lua
-- include shared/busy.lua
local lock, tokens, owner, tenure = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local holds, lease, label = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local tenureField = owner .. ':tenure'
local mine = tonumber(redis.call('HGET', lock, tenureField) or 0)
local left = redis.call('PTTL', lock)

if mine > tenure then
  return mine
end
if mine == 0 and left ~= -2 then
  return busy(left)
end
if holds > 1 and mine ~= tenure then
  return 0
end
if mine == tenure then
  holds = math.max(holds, tonumber(redis.call('HGET', lock, owner) or 0))
end
local token = tokens and (mine == tenure and redis.call('HGET', lock, owner .. ':token') or draw(tokens))
local sets = mine ~= tenure or left < lease
if sets then
  -- For a free lock this only checks the permission, before there is a key that could remain without expiry.
  redis.call('PEXPIRE', lock, lease)
end
local written = redis.pcall('HSET', lock, owner, holds, tenureField, ARGV[2])
if type(written) == 'table' then
  if sets and left > 0 then
    redis.call('PEXPIRE', lock, left)
  end
  return written
end
if label then
  redis.call('HSET', lock, owner:match('^.*:') .. 'label', label)
end
if token then
  redis.call('HSET', lock, owner .. ':token', token)
end
if left == -2 then
  redis.call('PEXPIRE', lock, lease)
end
return token and {tenure, token} or tenure
