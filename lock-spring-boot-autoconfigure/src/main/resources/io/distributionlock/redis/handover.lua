-- Put in place of the line "include handover.lua" of a script when it is loaded; needs fence.lua before it and
-- KEYS  1 owner  2 fence  3 queue  4 peers
-- and a local "context" before it. That is one argument for what is needed off the usual way only, since each argument costs:
--       "<life of the fence> <grant lease> <live window> <life of the queue> <life of a tombstone> <channel>\n<lock>"
-- with times in ms, the channel without the instance, and the name of the lock, which may hold anything.

local fence_life, grant_lease, live_window, queue_life, tombstone_life, channel, lock =
  string.match(context, '^(%d+) (%d+) (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')

local function server_millis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A claim is "<instance>:<number>", and an instance may hold colons itself.
local function instance_of(claim)
  return string.match(claim, '^(.*):[^:]*$') or claim
end

-- The longest waiting claim whose process still lives; those of dead processes before it are dropped.
local function first_live(now)
  while true do
    local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
    if not first then
      return nil
    end
    local instance = instance_of(first)
    local live_until = tonumber(redis.call('HGET', KEYS[4], instance) or 0) or 0
    if live_until > now then
      return first
    end
    redis.call('ZREM', KEYS[3], first)
    redis.call('HDEL', KEYS[4], instance)
  end
end

-- Makes a waiting claim the owner. Until it confirms, it has the short grant lease.
local function grant(claim)
  local fence = next_fence(fence_life)
  redis.call('SET', KEYS[1], claim, 'PX', grant_lease)
  redis.call('ZREM', KEYS[3], claim)
  redis.call('PUBLISH', channel .. instance_of(claim), table.concat({'granted', claim, fence, lock}, '\n'))
end

-- Redis drops an empty queue by itself; the peers have no meaning without it.
local function drop_peers_of_empty_queue()
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('DEL', KEYS[4])
  end
end

-- The owner has left: the lock goes to the first waiter whose process lives, or is free.
local function pass_on()
  local first = first_live(server_millis())
  if first then
    grant(first)
  else
    redis.call('DEL', KEYS[1])
  end
  drop_peers_of_empty_queue()
end
