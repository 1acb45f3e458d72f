-- release-without-tenure.lua: release.lua, but releases any hold of its owner.
local lock, owner = KEYS[1], ARGV[1]
if redis.call('HEXISTS', lock, owner) == 0 then
  return {0}
end
if tonumber(ARGV[3]) > 0 then
  redis.call('HSET', lock, owner, ARGV[3])
else
  redis.call('DEL', lock)
  redis.call('PUBLISH', ARGV[4], '0')
end
return {1}
