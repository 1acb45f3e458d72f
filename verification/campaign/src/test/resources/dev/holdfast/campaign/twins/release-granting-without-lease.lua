-- release-granting-without-lease.lua: like release-granting.lua, but the hold that is granted has what is left of the lease
-- before. Keys, arguments and reply are the same.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HGET', lock, owner .. ':tenure') ~= ARGV[2] then
  return {0}
end
local entry = redis.call('HGET', lock, 'line')
if not entry then
  redis.call('DEL', lock)
  return {1}
end
local to, tenure = entry:match('^(%S+) (%d+)$')
redis.call('HSET', lock, to, 1, to .. ':tenure', tenure)
redis.call('HDEL', lock, owner, owner .. ':tenure', 'line')
redis.call('PUBLISH', ARGV[4] .. to, entry)
return {1}
