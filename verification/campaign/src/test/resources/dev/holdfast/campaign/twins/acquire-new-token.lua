-- acquire-new-token.lua: acquire.lua, but draws a new token for a re-entry.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HEXISTS', lock, owner) == 0 then
  local left = redis.call('PTTL', lock)
  if left ~= -2 then
    return {0, left}
  end
end
local token = redis.call('INCR', KEYS[2])
redis.call('HSET', lock, owner, ARGV[3], owner .. ':tenure', ARGV[2], 'token', token)
redis.call('PEXPIRE', lock, ARGV[4])
return {1, token}
