-- nothing.lua: changes nothing.
-- Returns 0.
return 0
