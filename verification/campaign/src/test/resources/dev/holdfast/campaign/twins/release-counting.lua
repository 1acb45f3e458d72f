-- release-counting.lua: release.lua, but decrements the count each time it runs.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HGET', lock, owner .. ':tenure') ~= ARGV[2] then
  return {0}
end
if redis.call('HINCRBY', lock, owner, -1) <= 0 then
  redis.call('DEL', lock)
  redis.call('PUBLISH', ARGV[4], '0')
end
return {1}
