-- shared/busy.lua: says how long another owner's lease lasts.
-- Takes the result of PTTL for a key that exists.
-- Returns minus the milliseconds left, at least one, or -2^52 when the lease has no end.
local function busy(left)
  return left == -1 and -2^52 or -math.max(left, 1)
end
