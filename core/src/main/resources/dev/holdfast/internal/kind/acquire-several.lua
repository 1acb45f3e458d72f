-- acquire-several.lua: acquires several locks of one slot, each for an owner of its own, from the first on.
--   KEYS[i]     lock    lock i; if the locks are fenced, it is KEYS[2i-1], and
--   KEYS[2i]    tokens  is the last token that was drawn for it
--   ARGV[1]     fenced  1 if the locks are fenced, 0 if not
--   ARGV[2]     some    1 to acquire the locks before the first that is busy; 0 to acquire all or none
--   ARGV[3]     label   of the client, or empty
--   ARGV[3i+1]  owner   "<client>:<owner id>" for lock i
--   ARGV[3i+2]  tenure  number of this hold, grows within a client
--   ARGV[3i+3]  lease   milliseconds, > 1
-- Returns for each lock two elements: what acquire.lua returns first, or the message of an error; and its token, 0 if none.
--         A lock that is not acquired because of another one has 0: it may be free, or may not have been looked at.
-- Idempotent, since each lock is given as by acquire.lua.
-- include shared/draw.lua
-- include shared/busy.lua
-- include shared/restore.lua
local function grant(lock, tokens, owner, number, tenure, holds, lease, label, mine, left)
-- include shared/grant.lua
end

local function message(failed)
  return type(failed) == 'table' and failed.err or tostring(failed)
end

local keys = ARGV[1] == '1' and 2 or 1
local count = #KEYS / keys
local answers, mine, left = {}, {}, {}
local free = count
for i = 1, count do
  local lock = KEYS[keys * (i - 1) + 1]
  local tenure = redis.pcall('HGET', lock, ARGV[3 * i + 1] .. ':tenure')
  local expiry = redis.pcall('PTTL', lock)
  local mode = tenure ~= ARGV[3 * i + 2] and expiry ~= -2 and redis.pcall('HGET', lock, 'mode')
  local failed = type(tenure) == 'table' and tenure or type(expiry) == 'table' and expiry
    or type(mode) == 'table' and mode or mode and {err = 'WRONGKIND read-write lock'}
  if failed then
    answers[2 * i - 1] = message(failed)
  elseif not tenure and expiry ~= -2 then
    answers[2 * i - 1] = busy(expiry)
  end
  if failed or not tenure and expiry ~= -2 then
    free = ARGV[2] == '1' and i - 1 or 0
    break
  end
  mine[i], left[i] = tonumber(tenure or 0), expiry
end
for i = 1, free do
  local at = keys * (i - 1) + 1
  local owner, number, lease = ARGV[3 * i + 1], ARGV[3 * i + 2], tonumber(ARGV[3 * i + 3])
  local tenure = tonumber(number)
  local tokens = keys == 2 and KEYS[at + 1]
  local done, answer = true, mine[i]
  if mine[i] <= tenure then
    done, answer = pcall(grant, KEYS[at], tokens, owner, number, tenure, 1, lease, ARGV[3], mine[i], left[i])
  end
  if not done or type(answer) == 'table' and answer.err then
    answers[2 * i - 1] = message(answer)
    break
  end
  answers[2 * i - 1] = type(answer) == 'table' and answer[1] or answer
  answers[2 * i] = type(answer) == 'table' and answer[2] or 0
end
for i = 1, count do
  answers[2 * i - 1] = answers[2 * i - 1] or 0
  answers[2 * i] = answers[2 * i] or 0
end
return answers
