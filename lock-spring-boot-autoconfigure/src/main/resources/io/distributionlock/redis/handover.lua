-- Put in place of the line "include handover.lua" of a script when it is loaded; needs fence.lua, clock.lua and readers.lua
-- before it, and
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- and a local "context" before it. That is one argument for what is needed off the usual way only, since each argument costs:
--       "<life of the fence> <grant lease> <live window> <life of the queue> <life of a tombstone> <channel>\n<lock>"
-- with times in ms, the channel without the instance, and the name of the lock, which may hold anything.

local fence_life, grant_lease, live_window, queue_life, tombstone_life, channel, lock =
  string.match(context, '^(%d+) (%d+) (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')

-- How many claims this run may yet let in, drop or tell: Redis does nothing else meanwhile. What is left undone then, the process
-- that ran the script goes on with at once (admit.lua); if it does not, whoever asks next.
local quota, undone = 100, false

local function within_quota()
  if quota == 0 then
    undone = true
    return false
  end
  quota = quota - 1
  return true
end

-- A claim is "<instance>:<number>", or "<instance>:r<number>" if it asks to read; an instance may hold colons itself.
local function instance_of(claim)
  return string.match(claim, '^(.*):[^:]*$') or claim
end

local function asks_to_read(claim)
  return string.match(claim, ':r%d+$') ~= nil
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
    if not within_quota() then
      return nil
    end
    redis.call('ZREM', KEYS[3], first)
    redis.call('HDEL', KEYS[4], instance)
  end
end

-- They keep nobody out, so that some may stay for the next run.
local dropped_ended_readers = false
local function drop_ended_readers(now)
  if dropped_ended_readers then
    return
  end
  dropped_ended_readers = true
  local ended = redis.call('ZRANGE', KEYS[5], '-inf', '(' .. number(now), 'BYSCORE', 'LIMIT', 0, quota)
  if #ended > 0 then
    redis.call('ZREM', KEYS[5], unpack(ended))
    quota = quota - #ended
  end
end

-- The life of the fence when a reader is numbered: others that are inside may have asked for a longer one.
local function longest(life)
  return math.max(life, redis.call('PTTL', KEYS[2]))
end

-- The claim is inside from now on. Returns its fencing number.
local function enter(claim, lease, life, now)
  local fence
  if asks_to_read(claim) then
    fence = next_fence(longest(life))
    read_until(KEYS[5], claim, now + lease, now)
  else
    fence = next_fence(life)
    redis.call('SET', KEYS[1], claim, 'PX', lease)
  end
  return fence
end

-- Lets in whoever may enter now: the first exclusive claim of a free lock, or all readers that stand before it. Until they
-- confirm, they have the short grant lease. Says whether the claim "me", which is not let in here, may enter as well.
local function let_in(now, me)
  if redis.call('EXISTS', KEYS[1]) == 1 then
    return false
  end
  drop_ended_readers(now)
  while true do
    local first = first_live(now)
    if undone then
      return false
    end
    if not first or first == me then
      return me ~= nil and (asks_to_read(me) or not somebody_reads(KEYS[5], now))
    end
    local reads = asks_to_read(first)
    if not reads and somebody_reads(KEYS[5], now) or not within_quota() then
      return false
    end
    local fence = enter(first, tonumber(grant_lease), tonumber(fence_life), now)
    redis.call('ZREM', KEYS[3], first)
    redis.call('PUBLISH', channel .. instance_of(first), table.concat({'granted', first, fence, lock}, '\n'))
    if not reads then
      return false
    end
  end
end

local function show_life(claim, now)
  redis.call('HSET', KEYS[4], instance_of(claim), number(now + live_window))
end

-- Redis drops an empty queue by itself; the peers have no meaning without it.
local function drop_peers_of_empty_queue()
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('DEL', KEYS[4])
  end
end
