-- handoff-keeping-the-token.lua: a broken handoff.lua for the tests: the next owner has the token of the one before.
--   KEYS and ARGV as in handoff.lua
-- Returns what handoff.lua returns.
local lock, tokens, owner, tenure, lease, from = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if redis.call('HGET', lock, from .. ':tenure') ~= ARGV[5] then
  return 0
end
local token = redis.call('GET', tokens)
redis.call('DEL', lock)
redis.call('HSET', lock, owner, 1, owner .. ':tenure', tenure, owner .. ':token', token)
redis.call('PEXPIRE', lock, lease)
return {tonumber(tenure), token}
