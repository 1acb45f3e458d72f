-- latch-set.lua: gives a latch a count, if it has none.
--   KEYS[1]  latch     string: the count, as Redisson's RCountDownLatch has it; missing if it is zero
--   KEYS[2]  record    hash: state -> "<generation> <how> <renewal> <since> <gone>": the number of the count that is or was
--                      last set by a command of ours; what became of it: counting, open, deleted, expired, none if it is
--                      not known; the milliseconds to which each use renews both keys, 0 for none; the first generation
--                      from which on all have ended open; and how the last of the others has ended, deleted, expired or none
--                      client -> "<number> <result>": its last command, and what that has done
--   ARGV[1]  client    id of the client
--   ARGV[2]  number    of this command, grows within a client
--   ARGV[3]  count     > 0
--   ARGV[4]  lifetime  milliseconds, > 0, for which both keys live; the record 10 minutes longer
--   ARGV[5]  renewal   the same, if each use renews them to it; 0 if not
--   ARGV[6]  channel   on which the count is published: "1" for a new one
--   ARGV[7]  publish   the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
-- Returns the number, and 1 if this command has set the count, 0 if there was one;
--         the same and an error message when it was set but the message was refused;
--         a newer number of the same client and 0 when this command came late and had no effect,
--         an error when the keys do not hold a latch, or when Redis refuses a part of it; nothing has changed then.
-- Idempotent: a command that is sent again is replied to as before. A generation is the server's time in microseconds, or
-- the one before plus one if that is larger.
local latch, record, client, number = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local lifetime, channel, publish = tonumber(ARGV[4]), ARGV[6], ARGV[7]
-- include shared/latch-state.lua
if last > tonumber(number) then
  return {last, '0'}
end
if last == tonumber(number) then
  return {last, result}
end
last = tonumber(number)
if count > 0 then
  write(number, '0')
  prolong()
  return {last, '0'}
end
local time = redis.call('TIME')
local now = string.format('%d%06d', time[1], time[2])
generation = tonumber(generation) < tonumber(now) and now or string.format('%d', generation + 1)
since = how == 'open' and since or generation
how, renewal = 'counting', ARGV[5]
local function change()
  local longer = redis.pcall('PEXPIRE', record, lifetime + KEPT)
  if type(longer) == 'table' then
    return longer
  end
  local set = redis.pcall('SET', latch, ARGV[3], 'PX', lifetime)
  -- By the rule of shared/restore.lua.
  if set.err and kept >= 0 then
    redis.call('PEXPIRE', record, math.max(kept, 2))
  end
  return set
end
local refused = write(number, '1', change)
if refused then
  return refused
end
local told = redis.pcall(publish, channel, '1')
if type(told) == 'table' then
  return {last, '1', told.err}
end
return {last, '1'}
