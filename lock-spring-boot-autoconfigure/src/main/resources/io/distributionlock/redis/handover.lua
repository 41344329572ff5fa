-- Replaces the line "include handover.lua" when a script is loaded. Requires state.lua and readers.lua before it, with their
-- requirements, and
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- and a local "context". It packs everything the fast paths do not need into one argument, since each argument costs time:
--       "<fence lifetime> <grant lease> <live window> <queue lifetime> <tombstone lifetime> <channel>\n<lock>"
-- with times in ms, the channel without the instance, and the lock's name, which may contain anything. Without a channel, the calling
-- process sends the messages: a script must not publish to a channel of another slot where a service treats all channels as sharded.

local fence_life, grant_lease, live_window, queue_life, tombstone_life, channel, lock =
  string.match(context, '^(%d+) (%d+) (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')
fence_life, grant_lease, live_window = tonumber(fence_life), tonumber(grant_lease), tonumber(live_window)

-- How many more claims this run may admit, drop or notify, since it blocks Redis. If some remain ("undone"), the calling process
-- continues at once (admit.lua); if it fails to, the next request does.
local quota, undone = 100, false

-- The messages that the calling process has to send: all if there is no channel, otherwise those that Redis refuses to publish.
local untold = {}

-- Whether this run knows that no claim is queued.
local queue_is_empty = false

local function within_quota()
  if quota == 0 then
    undone = true
    return false
  end
  quota = quota - 1
  return true
end

-- A claim is "<instance>:<number>", "<instance>:r<number>" to read, or "<instance>:p<permits>-<number>" for one of so many permits; an
-- instance may itself contain colons.
local function instance_of(claim)
  return string.match(claim, '^(.*):[^:]*$') or claim
end

-- Tells the process of a claim to ask.
local function tell(verb, claim)
  if channel ~= '' then
    local sent = redis.pcall('PUBLISH', channel .. instance_of(claim), verb .. '\n' .. claim .. '\n' .. lock)
    if type(sent) ~= 'table' then
      return
    end
  end
  untold[#untold + 1] = verb .. ' ' .. claim
end

-- The answer of the script with what the calling process has to do afterwards, each thing on a line of its own: the word "undone" if
-- other claims remain to be admitted; then, after the word "untold", the messages to send, as "<verb> <claim>".
local function with_duties(answer)
  if undone then
    answer = answer .. '\nundone'
  end
  if #untold > 0 then
    answer = answer .. '\nuntold\n' .. table.concat(untold, '\n')
  end
  return answer
end

-- To read, or for a permit.
local function asks_to_share(claim)
  return string.find(claim, ':[rp][%d-]+$') ~= nil
end

-- How many permits there are for the claim; nothing if it asks for a lock.
local function permits_of(claim)
  return tonumber(string.match(claim, ':p(%d+)%-%d+$'))
end

-- Whether the process of a queued claim lives: within the live window it queued the claim, at the time of the ticket, or sent a heartbeat.
local function is_live(claim, ticket)
  local joined = millis_of(ticket)
  if joined <= now and now < joined + live_window then
    return true
  end
  -- The clock may have stepped back since the claim was queued.
  local live_until = tonumber(redis.call('HGET', KEYS[4], instance_of(claim)) or joined + live_window)
  return live_until and live_until > now
end

-- Without a queue the peers mean nothing. Redis deletes an empty queue itself.
local function leave_queue(claim, others)
  if others then
    redis.call('ZREM', KEYS[3], claim)
  else
    redis.call('DEL', KEYS[3], KEYS[4])
    queue_is_empty = true
  end
end

-- The first queued claim whose process lives, and whether others are queued behind it; drops claims of dead processes ahead of it.
local function first_live()
  while not queue_is_empty do
    local first, ticket, second = unpack(redis.call('ZRANGE', KEYS[3], 0, 1, 'WITHSCORES'))
    if not first then
      queue_is_empty = true
    elseif is_live(first, ticket) then
      return first, second ~= nil
    elseif not within_quota() then
      return nil, true
    else
      leave_queue(first, second)
      if second then
        redis.call('HDEL', KEYS[4], instance_of(first))
      end
    end
  end
  return nil, false
end

-- Whether anybody reads or has a permit; nil until it is looked up. Whose lease has ended keeps nobody out, so the quota may leave some for
-- the next run.
local reading
local function somebody_reads()
  if reading == nil then
    local ends_first = mark and tonumber(redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2])
    reading = ends_first and ends_first >= now or false
    if ends_first and not reading then
      local ended = redis.call('ZRANGE', KEYS[5], '-inf', '(' .. number(now), 'BYSCORE', 'LIMIT', 0, quota)
      if #ended > 0 then
        redis.call('ZREM', KEYS[5], unpack(ended))
        quota = quota - #ended
      end
      reading = redis.call('ZCOUNT', KEYS[5], number(now), '+inf') > 0
    end
  end
  return reading
end

-- How long the longest lease of a reader lasts, in ms; nil until it is looked up.
local readers_left

-- The lock is nobody's any more; tidy() removes the key unless somebody enters.
local function vacate()
  owner, ends, mark, reading, readers_left = nil, nil, false, false, nil
end

-- The last ms of an exclusive lease that this run began or extended.
local own_lease_end

-- Makes the claim the exclusive owner until "last", guarded if others wait.
local function own_until(claim, last, others)
  if others then
    write_guard(KEYS[1], claim, last, now, live_window)
  else
    put(KEYS[1], exists, claim, number(math.max(last - now, 1)))
  end
  owner, ends, exists, mark, reading = claim, others and last or nil, true, false, false
  own_lease_end = last
end

-- A claim has left the queue. If it was the last, the owner needs no guard any more; a minimum hold keeps its own.
local function unguard_without_queue()
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('DEL', KEYS[4])
    if owner and ends and string.sub(owner, 1, 5) ~= 'kept:' then
      own_until(owner, ends, false)
    end
  end
end

-- The same with a reader who has this lease.
local function left_of_readers(lease)
  if not readers_left then
    readers_left = mark and longest_lease(KEYS[1], live_window) or 0
  end
  return math.max(readers_left, lease, 1)
end

-- The readers' set and the mark in the owner key live as the longest lease wants. The mark comes first: writing it fails if the key is
-- another application's.
local function read_until(claim, last)
  local left = left_of_readers(last - now)
  local word = (not reading or left ~= readers_left) and (permits_of(claim) and 'permits' or 'readers')
  if word then
    put(KEYS[1], exists, word, number(left + live_window))
    owner, ends, exists, mark, reading = nil, nil, true, word, true
    readers_left = left
  end
  redis.call('ZADD', KEYS[5], number(last), claim)
  if word then
    redis.call('PEXPIRE', KEYS[5], number(left))
  end
end

-- Draws a number for the claim. For a reader it lives as long as other readers may need.
local function next_fence(claim, lease, life)
  if mark or asks_to_share(claim) then
    life = math.max(life, left_of_readers(lease) + fence_life / 2)
  end
  fence = draw(KEYS[2], fence, claim, micros, life)
  return last_number(fence)
end

-- Makes the claim a holder. Returns its fencing number.
local function enter(claim, lease, life, others)
  local drawn = next_fence(claim, lease, life)
  if asks_to_share(claim) then
    read_until(claim, now + lease)
  else
    own_until(claim, now + lease, others)
  end
  return drawn
end

-- The quota is used up and nobody is inside: the mark keeps the lock from a plain SET until the queue was looked at.
local function hold_for_queue()
  if not owner and not reading then
    redis.call('SET', KEYS[1], 'readers', 'PX', number(live_window))
    exists = true
  end
  return false
end

-- Whether a claim may enter beside those who share the lock, if any do. A permit counts the others by the claim's own limit, so that
-- processes that disagree on it never take a permit away.
local function may_enter(claim)
  if not reading then
    return true
  end
  if mark == 'permits' then
    return redis.call('ZCOUNT', KEYS[5], number(now), '+inf') < (permits_of(claim) or 0)
  end
  return asks_to_share(claim) and not permits_of(claim)
end

-- Admits what may enter now: the first exclusive claim if the lock is free; or all readers queued ahead of it; or claims while permits are
-- left. Until they confirm, they have the short grant lease. Returns whether the claim "me", which is not admitted here, may enter too,
-- whether it is queued, and whether others are queued.
local function let_in(me)
  if owner then
    return false
  end
  if not exists then
    -- Fails if the key is another application's, before anybody leaves the queue.
    redis.call('GET', KEYS[1])
  end
  somebody_reads()
  while true do
    local first, others = first_live()
    if undone then
      return hold_for_queue()
    end
    if not first or first == me then
      return me ~= nil and may_enter(me), first ~= nil, others
    end
    if not may_enter(first) then
      return false
    end
    if not within_quota() then
      return hold_for_queue()
    end
    leave_queue(first, others)
    enter(first, grant_lease, fence_life, others)
    tell('granted', first)
    if owner then
      return false
    end
  end
end

-- Removes the owner key when nobody is inside.
local function tidy()
  if exists and not owner and reading == false and not undone then
    redis.call('DEL', KEYS[1])
  end
end
