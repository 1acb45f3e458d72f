-- shared/rw-state.lua: reads the two lines of a read-write lock and the number of its readers.
-- Takes the local seen, whose third and fourth elements are the fields writers and readers of the lock; each may be missing.
-- Returns an error from the script if they have another format; nothing is changed then.
local w, r
-- Nobody is in line, and nobody reads.
local function clear()
  w = {first = 1, last = 0, count = 0, grants = 0, opened = 0}
  r = {count = 0, holding = 0, due = 0}
end
clear()
if seen[3] then
  local first, last, count, grants, opened = seen[3]:match('^(%d+) (%d+) (%d+) (%d+) (%d+)$')
  w.first, w.last, w.count = tonumber(first), tonumber(last), tonumber(count)
  w.grants, w.opened = tonumber(grants), tonumber(opened)
end
if seen[4] then
  local count, holding, due = seen[4]:match('^(%d+) (%d+) (%d+)$')
  r.count, r.holding, r.due = tonumber(count), tonumber(holding), tonumber(due)
end
if not w.count or not r.count then
  return {err = 'HOLDFAST the lines of the lock have an unknown format'}
end
local function writers()
  return string.format('%d %d %d %d %d', w.first, w.last, w.count, w.grants, w.opened)
end
local function readers()
  return string.format('%d %d %d', r.count, r.holding, r.due)
end
-- One more reader, whose lease ends at that time.
local function admit(till)
  r.due = r.holding == 0 and till or math.min(r.due, till)
  r.holding = r.holding + 1
end
