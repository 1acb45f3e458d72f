-- timed.lua: runs a script at a given time, for given subscribers, and returns all that it did.
--   KEYS[1]   ends       hash: key -> when it expires, in milliseconds
--   KEYS[2..]            the keys of the script
--   ARGV[1]   now        microseconds, the time that the script reads
--   ARGV[2]   listening  the channels that have subscribers, one in a line, each as often as it has some
--   ARGV[3]   refused    the commands that the script may not run, each between two spaces
--   ARGV[4..]            the arguments of the script
-- Returns the reply of the script as a list, in which an error is a text,
--         for each key: when it expires, -1 if never, -2 if there is none; its text, or its fields and their values,
--         for each message: the command, its channel, its text, how many received it.
local ends, now, listening, refused = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local server, messages, keys = redis, {}, {unpack(KEYS, 2)}
local nowMs = math.floor(tonumber(now) / 1000)
local simulated = {}

local function subscribers(channel)
  local count = 0
  for name in listening:gmatch('[^\n]+') do
    count = count + (name == channel and 1 or 0)
  end
  return count
end
local function till(key)
  return server.call('EXISTS', key) == 0 and -2 or tonumber(server.call('HGET', ends, key) or -1)
end
local function value(key)
  return server.call('TYPE', key).ok == 'string' and server.call('GET', key) or server.call('HGETALL', key)
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
  if server.call('EXISTS', key) == 0 then
    server.call('HDEL', ends, key)
  end
  return gone
end
function simulated.PEXPIRE(key, millis)
  if server.call('EXISTS', key) == 0 then
    return 0
  end
  -- Before Redis 7.2, one millisecond may pass within the command.
  if tonumber(millis) <= 1 then
    return simulated.DEL(key)
  end
  server.call('HSET', ends, key, string.format('%d', nowMs + millis))
  return 1
end
function simulated.SET(key, text, how, millis)
  server.call('SET', key, text)
  if how == 'PX' then
    server.call('HSET', ends, key, string.format('%d', nowMs + millis))
  elseif how ~= 'KEEPTTL' then
    server.call('HDEL', ends, key)
  end
  return {ok = 'OK'}
end
function simulated.PUBSUB(_, ...)
  local counts = {}
  for _, channel in ipairs({...}) do
    table.insert(counts, channel)
    table.insert(counts, subscribers(channel))
  end
  return counts
end
function simulated.PUBLISH(channel, text)
  table.insert(messages, {'PUBLISH', channel, text, subscribers(channel)})
  return subscribers(channel)
end
function simulated.SPUBLISH(channel, text)
  table.insert(messages, {'SPUBLISH', channel, text, subscribers(channel)})
  return subscribers(channel)
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
local done, reply = pcall(script, keys, {unpack(ARGV, 4)}, {call = watched(server.call), pcall = watched(server.pcall)})
if type(reply) == 'table' and reply.err then
  reply = reply.err
elseif not done then
  reply = 'failed: ' .. tostring(reply)
end
if type(reply) ~= 'table' then
  reply = {reply}
end
local kept = {}
for at, key in ipairs(keys) do
  kept[at] = {till(key), value(key)}
end
return {reply, kept, messages}
