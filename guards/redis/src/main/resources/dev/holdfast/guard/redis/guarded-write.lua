-- guarded-write.lua: executes a command that writes a key, unless a later owner of its lock has written it.
--   KEYS[1]  data     the key to write
--   KEYS[2]  newest   the largest fencing token that has written it; no expiry
--   ARGV[1]  token    of the owner that writes: decimal, > 0, no leading zeros
--   ARGV[2]  command  such as SET, whose first argument is the key
--   ARGV[3]  ...      its other arguments
-- Returns 1 when it was written,
--         0 when the token is smaller than the last one, and nothing was changed,
--         an error when Redis refuses the command; the token counts as seen all the same.
-- Tokens are compared as text, the longer one being the larger: Lua numbers are exact only up to 2^53.
local data, newest, token, command = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local seen = redis.call('GET', newest) or '0'

if #token < #seen or (#token == #seen and token < seen) then
  return 0
end
redis.call('SET', newest, token)
redis.call(command, data, unpack(ARGV, 3))
return 1
