-- latch-delete.lua: takes the count away from a latch, without opening it for those that await it.
--   KEYS[1]  latch    string: the count, as latch-set.lua has it
--   KEYS[2]  record   hash, as latch-set.lua has it
--   ARGV[1]  client   id of the client
--   ARGV[2]  number   of this command, grows within a client
--   ARGV[3]  channel  on which the count is published: "1", as Redisson does
--   ARGV[4]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
-- Returns the number, and 1 if there was a count, 0 if not;
--         the same and an error message when it was deleted but the message was refused;
--         a newer number of the same client and 0 when this command came late and had no effect,
--         an error when the keys do not hold a latch, or when Redis refuses a part of it; nothing has changed then.
-- Idempotent: a command that is sent again is replied to as before.
local latch, record, client, number = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local channel, publish = ARGV[3], ARGV[4]
-- include shared/latch-state.lua
if last > tonumber(number) then
  return {last, '0'}
end
if last == tonumber(number) then
  return {last, result}
end
last = tonumber(number)
if present ~= '0' then
  how, gone = 'deleted', 'deleted'
end
local function change()
  return redis.pcall('DEL', latch)
end
local refused = write(number, text and '1' or '0', change)
if refused then
  return refused
end
if not text then
  return {last, '0'}
end
redis.pcall('PEXPIRE', record, KEPT)
local told = redis.pcall(publish, channel, '1')
if type(told) == 'table' then
  return {last, '1', told.err}
end
return {last, '1'}
