-- latch-count-down.lua: counts a latch down, and opens it if its count is zero then.
--   KEYS[1]  latch    string: the count, as latch-set.lua has it
--   KEYS[2]  record   hash, as latch-set.lua has it
--   ARGV[1]  client   id of the client
--   ARGV[2]  channel  on which the count is published: "0" when it is zero
--   ARGV[3]  publish  the command to publish it: PUBLISH, or SPUBLISH where channels are sharded
--   ARGV[4..] number  triples (number, by, generation) in the order of their numbers, which grow within a client: by how
--                     much to count down, and the generation in which that was counted before at a node that has failed,
--                     1 if it had none; empty for a new countdown
-- Returns the last of these numbers, and the generation it was counted in, 1 if it has none, 0 if there was no count;
--         the same and an error message when the latch was opened but the message was refused;
--         a newer number of the same client and the generation of that one when this command came late and had no effect,
--         an error when the keys do not hold a latch, or when Redis refuses a part of it; nothing has changed then.
-- Idempotent: a client has one command in flight, so a number that is not larger than its last one was executed before. A
-- countdown without a count has no effect, and is recorded all the same: sent again, it must not count for the next one.
local latch, record, client, channel, publish = KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[3]
-- include shared/latch-state.lua
local rest, number = count, nil
for i = 4, #ARGV, 3 do
  local of = ARGV[i + 2]
  if tonumber(ARGV[i]) > last then
    number, last, result = ARGV[i], tonumber(ARGV[i]), '0'
    -- A generation that is not known is no other one.
    if rest > 0 and (of == '' or of == '1' or present == '0' or of == present) then
      rest, result = rest - ARGV[i + 1], present == '0' and '1' or present
    end
  end
end
if not number then
  return {last, result}
end
local opens = count > 0 and rest <= 0
-- The state may be that of a count before one that Redisson has set.
if opens and (present ~= '0' or how == 'none') then
  how = 'open'
end
local function change()
  if opens then
    return redis.pcall('DEL', latch)
  end
  return rest < count and redis.pcall('SET', latch, string.format('%d', rest), 'KEEPTTL')
end
local refused = write(number, result, change)
if refused then
  return refused
end
if not opens then
  prolong()
  return {last, result}
end
redis.pcall('PEXPIRE', record, KEPT)
local told = redis.pcall(publish, channel, '0')
if type(told) == 'table' then
  return {last, result, told.err}
end
return {last, result}
