-- Replaces the line "include handover.lua" when a script is loaded. Requires fence.lua, clock.lua and readers.lua before it, and
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- and a local "context". It packs everything the fast paths do not need into one argument, since each argument costs time:
--       "<fence lifetime> <grant lease> <live window> <queue lifetime> <tombstone lifetime> <channel>\n<lock>"
-- with times in ms, the channel without the instance, and the lock's name, which may contain anything.

local fence_life, grant_lease, live_window, queue_life, tombstone_life, channel, lock =
  string.match(context, '^(%d+) (%d+) (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')

-- How many more claims this run may admit, drop or notify, since it blocks Redis. If some remain ("undone"), the calling process
-- continues at once (admit.lua); if it fails to, the next request does.
local quota, undone = 100, false

local function within_quota()
  if quota == 0 then
    undone = true
    return false
  end
  quota = quota - 1
  return true
end

-- A claim is "<instance>:<number>", or "<instance>:r<number>" to read; an instance may itself contain colons.
local function instance_of(claim)
  return string.match(claim, '^(.*):[^:]*$') or claim
end

local function asks_to_read(claim)
  return string.match(claim, ':r%d+$') ~= nil
end

-- The first queued claim whose process lives; drops claims of dead processes ahead of it.
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

-- Ended readers keep nobody out, so the quota may leave some for the next run.
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

-- The fence's lifetime for a new reader: other readers may need a longer one.
local function longest(life)
  return math.max(life, redis.call('PTTL', KEYS[2]))
end

-- Makes the claim a holder. Returns its fencing number.
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

-- Admits what may enter now: the first exclusive claim if the lock is free, or all readers queued ahead of it. Until they confirm,
-- they have the short grant lease. Returns whether the claim "me", which is not admitted here, may enter too.
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

-- Redis deletes an empty queue itself; without it the peers mean nothing.
local function drop_peers_of_empty_queue()
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('DEL', KEYS[4])
  end
end
