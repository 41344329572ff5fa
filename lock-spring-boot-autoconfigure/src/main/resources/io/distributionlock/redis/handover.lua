-- What acquire.lua and release.lua have in common; put in place of their line "include handover.lua" when they are loaded.
-- They keep these places for it:
-- KEYS  1 owner  2 fence  3 queue  4 peers
-- ARGV  3 life of the fence in ms  4 grant lease in ms  5 channel without the instance  6 name of the lock

-- The server's clock in microseconds: 16 digits, which a Lua number holds exactly.
local function server_micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

-- Numbers the next tenure. "%.0f" because Lua's own conversion drops digits after the 14th.
local function next_fence(micros)
  local last = tonumber(redis.call('GET', KEYS[2]) or 0) or 0
  local fence = math.max(last + 1, micros)
  redis.call('SET', KEYS[2], string.format('%.0f', fence), 'PX', ARGV[3])
  return fence
end

-- A claim is "<instance>:<number>", and an instance may hold colons itself.
local function instance_of(claim)
  return string.match(claim, '^(.*):[^:]*$') or claim
end

-- The longest waiting claim whose process still lives; those of dead processes before it are dropped.
local function first_live(now_millis)
  while true do
    local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
    if not first then
      return nil
    end
    local instance = instance_of(first)
    local live_until = tonumber(redis.call('HGET', KEYS[4], instance) or 0) or 0
    if live_until > now_millis then
      return first
    end
    redis.call('ZREM', KEYS[3], first)
    redis.call('HDEL', KEYS[4], instance)
  end
end

-- Makes a waiting claim the owner. Until it confirms, it has the short grant lease.
local function grant(claim, micros)
  local fence = next_fence(micros)
  redis.call('SET', KEYS[1], claim, 'PX', ARGV[4])
  redis.call('ZREM', KEYS[3], claim)
  redis.call('PUBLISH', ARGV[5] .. instance_of(claim),
    'granted\n' .. claim .. '\n' .. string.format('%.0f', fence) .. '\n' .. ARGV[6])
end

-- Redis drops an empty queue by itself; the peers have no meaning without it.
local function drop_peers_of_empty_queue()
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('DEL', KEYS[4])
  end
end
