-- shared/restore.lua: gives a lock the expiry back that it had, when Redis refuses what was to follow a new one.
-- Takes the result of PTTL from before the new one. A key of which no whole millisecond is left still exists, and is not deleted:
-- an expiry of 0 would do so, and before Redis 7.2, which lets time pass within a command, so may 1. A key that had no expiry keeps
-- the new one.
local function restore(lock, left)
  if left >= 0 then
    redis.call('PEXPIRE', lock, math.max(left, 2))
  end
end
