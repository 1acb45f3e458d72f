-- join-line.lua: joins the line of a lock that was held before; the arguments are those of acquire-in-line.lua.
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HSET', KEYS[1], 'line', ARGV[1] .. ' ' .. ARGV[2])
end
return {0}
