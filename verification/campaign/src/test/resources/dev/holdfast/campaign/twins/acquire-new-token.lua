-- acquire-new-token.lua: as acquire.lua, but a re-entry gets a token of its own.
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
