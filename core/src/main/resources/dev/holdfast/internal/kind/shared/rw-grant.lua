-- shared/rw-grant.lua: grants a read-write lock to the readers in line, all at once; after shared/rw-state.lua.
-- Takes the locals lock, channel, publish and time.
-- A refusal of Redis is raised. Each reader has its hold, within the expiry of the key, before it is notified: what was done
-- until then is whole.
local numsub = publish == 'SPUBLISH' and 'SHARDNUMSUB' or 'NUMSUB'
local now = string.format('%d%06d', time[1], time[2])
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
-- How many clients were notified.
local told = 0

local function grantReaders()
  if r.count == 0 then
    return
  end
  w.grants = w.grants + 1
  redis.call('HSET', lock, 'mode', 'shared', 'writers', writers())
  local left = redis.call('PTTL', lock)
  local longest = r.holding == 0 and 0 or left
  local all = redis.call('HGETALL', lock)
  for i = 1, #all, 2 do
    local client = all[i]:match('^(.*):reader$')
    if client then
      redis.call('HDEL', lock, client .. ':reader')
      r.count = math.max(0, r.count - 1)
      local to, number, lease, label = all[i + 1]:match('^(%S+:%S*) (%d+) (%d+) (.*)$')
      if to and redis.call('PUBSUB', numsub, channel .. ':' .. client .. ':read')[2] > 0 then
        lease = tonumber(lease)
        longest = math.max(longest, lease)
        if left < lease then
          redis.call('PEXPIRE', lock, lease)
          left = lease
        end
        admit(nowMs + lease)
        local till = string.format('%d %s', nowMs + lease, label)
        redis.call('HSET', lock, to, 1, to .. ':tenure', number, to .. ':until', till, 'readers', readers())
        local grant = table.concat({to, number, now, w.count > 0 and w.count or nil}, ' ')
        redis.call(publish, channel .. ':' .. client .. ':read', grant)
        told = told + 1
      end
    end
  end
  -- After a refusal, more may have been counted than there are.
  r.count = 0
  redis.call('HSET', lock, 'readers', readers())
  -- What is left of the lease of the writer before them is nobody's.
  if r.holding > 0 and longest < left then
    redis.call('PEXPIRE', lock, longest)
  end
end

-- Has the readers in line join those that hold the lock. If Redis refuses a part of it, all clients attempt.
local function joinReaders()
  if not pcall(grantReaders) then
    redis.pcall(publish, channel, '1')
  end
end
