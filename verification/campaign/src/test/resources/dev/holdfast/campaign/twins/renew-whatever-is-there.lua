-- renew-whatever-is-there.lua: as renew.lua, but the hold is written as it should be, whether it is there or not.
redis.call('HSET', KEYS[1], ARGV[1], 1, ARGV[1] .. ':tenure', ARGV[2])
redis.call('HSETNX', KEYS[1], 'token', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
