-- acquire-drawing-always.lua: a broken acquire.lua for the tests: it draws a token with each call that succeeds.
--   KEYS and ARGV as in acquire.lua
-- Returns what acquire.lua returns.
local lock, tokens, owner, tenure = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)

if mine > tenure then
  return mine
end
if mine == 0 and redis.call('EXISTS', lock) == 1 then
  return -redis.call('PTTL', lock)
end
if mine ~= tenure and tonumber(ARGV[3]) > 1 then
  return 0
end
local token = string.format('%.0f', redis.call('INCR', tokens))
redis.call('HSET', lock, owner, ARGV[3], owner .. ':tenure', tenure, owner .. ':token', token)
redis.call('PEXPIRE', lock, ARGV[4])
return {tenure, token}
