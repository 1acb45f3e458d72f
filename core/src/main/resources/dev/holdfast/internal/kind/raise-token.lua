-- raise-token.lua: makes the next token of a fenced lock larger than one that is known, at a node that may have missed it.
--   KEYS[1]  tokens  the last token that was drawn for the lock
--   ARGV[1]  known   a token that was drawn for it, of at most 2^53
-- Returns 1.
-- A stored value that is no number stays: the next draw reports it.
local tokens, known = KEYS[1], ARGV[1]
local last = tonumber(redis.call('GET', tokens) or 0)
if last and last < tonumber(known) then
  redis.call('SET', tokens, known)
end
return 1
