-- shared/draw.lua: draws the next token of a fenced lock.
-- It is the server's time in microseconds, or one more than the last token if that is larger.
-- Returns a string, since Lua's numbers are exact only up to 2^53.
local function draw(tokens)
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
