-- acquire.lua: takes the lock, enters it again, or says how long to wait.
--   KEYS[1]  lock     hash: owner -> hold count, owner:tenure -> tenure, client:label -> label
--   ARGV[1]  owner    "<client>:<owner id>"
--   ARGV[2]  tenure   number of this hold, grows within a client
--   ARGV[3]  holds    the count after this call, 1 for a first acquire
--   ARGV[4]  lease    milliseconds, > 0; never shortens what is left
--   ARGV[5]  label    of the client, for people who look at the lock; missing if it has none
-- Returns the tenure when the lock is held by it after this call,
--         a newer tenure of the same owner when this command came late, and nothing was done,
--         minus the milliseconds left of another owner's lease, -2^52 when it has no end,
--         0 when a hold to be re-entered is gone,
--         an error when the lease cannot be set; a lock that was free is free again then.
-- Twice is as good as once; late, it finds a newer tenure or adopts an older one.
local lock, owner, tenure = KEYS[1], ARGV[1], tonumber(ARGV[2])
local holds, lease, label = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local mine = tonumber(redis.call('HGET', lock, owner .. ':tenure') or 0)
local left = redis.call('PTTL', lock)

if mine > tenure then
  return mine
end
if mine == 0 and left ~= -2 then
  return left == -1 and -2^52 or -math.max(left, 1)
end
if holds > 1 and mine ~= tenure then
  return 0
end
if mine == tenure then
  holds = math.max(holds, tonumber(redis.call('HGET', lock, owner) or 0))
end
redis.call('HSET', lock, owner, holds, owner .. ':tenure', ARGV[2])
if label then
  redis.call('HSET', lock, owner:match('^.*:') .. 'label', label)
end
local expiry = left < lease and redis.pcall('PEXPIRE', lock, lease)
if type(expiry) == 'table' and expiry.err then
  if left == -2 then
    redis.call('DEL', lock)
  end
  return expiry
end
return tenure
