-- shared/rw-writers.lua: finds the first writer in line that is subscribed; after shared/rw-grant.lua.
-- Takes the locals lock, channel and publish. A refusal of Redis is raised; w and the fields of the places fit together then,
-- but for the field writers, which the caller writes.

-- Passes over the writers that have left, or are not subscribed any more.
-- Returns the place and the entry of the first other one, if there is one.
local function firstWriter()
  while w.count > 0 and w.first <= w.last do
    local at = 'writer:' .. string.format('%d', w.first)
    local entry = redis.call('HGET', lock, at) or ''
    local client = entry:match('^(%S+):') or ''
    local waits = entry:match('^%S+:%S* %d+ %d+ ')
    if waits and redis.call('PUBSUB', numsub, channel .. ':' .. client)[2] > 0 then
      return at, entry
    end
    redis.call('HDEL', lock, at, client .. ':writer')
    w.first = w.first + 1
    w.count = w.count - (waits and 1 or 0)
  end
  -- After a refusal, more may have been counted than there are.
  w.count = 0
end

-- Has the first writer that is subscribed watch over a lease.
local function watch(lease)
  for at = w.first, w.last do
    local entry = redis.call('HGET', lock, 'writer:' .. string.format('%d', at))
    local client = entry and entry:match('^(%S+):%S+ ')
    local receivers = client and redis.pcall(publish, channel .. ':' .. client, 'watch ' .. lease)
    if receivers and (type(receivers) == 'table' or receivers > 0) then
      return
    end
  end
end
