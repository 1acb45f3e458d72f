-- shared/grant.lua: gives the lock to a tenure of an owner, and returns; the last statements of a script or function,
-- after shared/draw.lua and shared/restore.lua.
-- The lock is free, or the owner has it with this tenure or an older one.
-- Takes the locals lock, tokens, owner, number, tenure, holds, lease and label, as acquire.lua has them: number is the
-- tenure as it was received, since Lua would write it with an exponent; mine, the tenure that the owner has, 0 if none;
-- and left, the result of PTTL for the lock.
-- Returns what acquire.lua returns when the owner has the lock, or when a hold to be re-entered is gone.
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
local written = redis.pcall('HSET', lock, owner, holds, owner .. ':tenure', number)
if type(written) == 'table' then
  if sets then
    restore(lock, left)
  end
  return written
end
if label and label ~= '' then
  redis.call('HSET', lock, owner:match('^.*:') .. 'label', label)
end
if token then
  redis.call('HSET', lock, owner .. ':token', token)
end
if left == -2 then
  redis.call('PEXPIRE', lock, lease)
end
return token and {tenure, token} or tenure
