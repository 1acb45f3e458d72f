-- renew-whatever-is-there.lua: renew.lua, but writes the hold whether it exists or not.
redis.call('HSET', KEYS[1], ARGV[1], 1, ARGV[1] .. ':tenure', ARGV[2])
redis.call('HSETNX', KEYS[1], 'token', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
