-- observed.lua: runs a script on a copy of a lock, at a given time, and returns all that it did.
--   KEYS[1]  lock    the copy
--   KEYS[2]  before  the lock that is copied; its key may be missing
--   KEYS[3]  tokens  only for a fenced lock: the last token that was drawn
--   ARGV[1]  now     microseconds, the time that the script reads
--   ARGV[2]  keep    1 to keep the copy, 0 to delete it
--   ARGV[3..]        the arguments of the script
-- Returns the reply of the script as a list,
--         the milliseconds left of the lease, as PTTL returns them,
--         the fields of the lock and their values,
--         for each message: its channel, its text, how many received it, the tenure that the owner named in it had by
--         then, and the milliseconds left of the lease.
local lock, before, tokens, now, keep = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
local server, messages = redis, {}

local function watched(call)
  return function(command, ...)
    if command == 'TIME' then
      return {now:sub(1, -7), now:sub(-6)}
    end
    local answer = call(command, ...)
    if command == 'PUBLISH' then
      local channel, text = ...
      local tenure = server.call('HGET', lock, text:match('^%S+') .. ':tenure') or '0'
      table.insert(messages, {channel, text, answer, tenure, server.call('PTTL', lock)})
    end
    return answer
  end
end

local function script(KEYS, ARGV, redis)
-- the script
end

server.call('COPY', before, lock)
local reply = script({lock, tokens}, {unpack(ARGV, 3)}, {call = watched(redis.call), pcall = watched(redis.pcall)})
if type(reply) ~= 'table' then
  reply = {reply}
end
local seen = {reply, server.call('PTTL', lock), server.call('HGETALL', lock), messages}
if keep == '0' then
  server.call('DEL', lock)
end
return seen
