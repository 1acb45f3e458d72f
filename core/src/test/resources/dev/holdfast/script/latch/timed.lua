-- timed.lua: runs a script about a latch at a given time, and returns all that it did.
--   KEYS[1]   ends     hash: key -> when it expires, in milliseconds
--   KEYS[2]   latch
--   KEYS[3]   record
--   ARGV[1]   now      microseconds, the time that the script reads
--   ARGV[2]   refused  the commands that the script may not run, each between two spaces
--   ARGV[3..]          the arguments of the script
-- Returns the reply of the script as a list, in which an error is a text,
--         the count as it is stored, or an empty text, and when it expires: -1 if never, -2 if there is none,
--         when the record expires, and its fields and values,
--         the texts of the messages.
local ends, now, refused = KEYS[1], ARGV[1], ARGV[2]
local server, messages = redis, {}
local nowMs = math.floor(tonumber(now) / 1000)
local simulated = {}

local function forgetIfGone(key)
  if server.call('EXISTS', key) == 0 then
    server.call('HDEL', ends, key)
  end
end
local function till(key)
  return server.call('EXISTS', key) == 0 and -2 or tonumber(server.call('HGET', ends, key) or -1)
end

function simulated.TIME()
  return {now:sub(1, -7), now:sub(-6)}
end
function simulated.PTTL(key)
  local at = till(key)
  return at < 0 and at or at - nowMs
end
function simulated.DEL(key)
  server.call('HDEL', ends, key)
  return server.call('DEL', key)
end
function simulated.HDEL(key, ...)
  local gone = server.call('HDEL', key, ...)
  forgetIfGone(key)
  return gone
end
function simulated.PEXPIRE(key, millis)
  if server.call('EXISTS', key) == 0 then
    return 0
  end
  server.call('HSET', ends, key, string.format('%d', nowMs + millis))
  return 1
end
function simulated.SET(key, value, how, millis)
  server.call('SET', key, value)
  if how == 'PX' then
    simulated.PEXPIRE(key, millis)
  elseif how ~= 'KEEPTTL' then
    server.call('HDEL', ends, key)
  end
  return {ok = 'OK'}
end
function simulated.PUBLISH(channel, text)
  table.insert(messages, text)
  return 1
end

local function watched(call)
  return function(command, ...)
    command = command:upper()
    if refused:find(' ' .. command .. ' ', 1, true) then
      local refusal = {err = 'NOPERM this user has no permissions to run ' .. command}
      return call == server.call and error(refusal) or refusal
    end
    return (simulated[command] or function(...) return call(command, ...) end)(...)
  end
end

local function script(KEYS, ARGV, redis)
-- the script
end

for _, key in ipairs(server.call('HKEYS', ends)) do
  if tonumber(server.call('HGET', ends, key)) < nowMs then
    simulated.DEL(key)
  end
end
local done, reply = pcall(script, {KEYS[2], KEYS[3]}, {unpack(ARGV, 3)}, {call = watched(server.call), pcall = watched(server.pcall)})
if type(reply) == 'table' and reply.err then
  reply = reply.err
elseif not done then
  reply = 'failed: ' .. tostring(reply)
end
if type(reply) ~= 'table' then
  reply = {reply}
end
return {reply, server.call('GET', KEYS[2]) or '', till(KEYS[2]), till(KEYS[3]), server.call('HGETALL', KEYS[3]), messages}
