-- All that happens to one lock, but for its cheapest release (release-uncontended.lua) and the renewals of exclusive owners (renew.lua).
-- Any call may run more than once, and late.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6.. tombstones, if the verb has some
-- ARGV  1 verb: each stands behind the functions that it needs, and says what follows and what the answer is
--       2 "<fence lifetime> <liveness timeout> <queue lifetime> <tombstone lifetime> <channel>\n<lock>", with times in ms, the channel
--         without the instance, and the lock's name, which may contain anything. The lease of a grant is as long as the liveness timeout.
--         Without a channel, the calling process sends the messages: a script must not publish to a channel of another slot where a service
--         treats all channels as sharded.
--
-- The owner key holds
--   <claim>             uncontended: the exclusive owner, while nobody is known to wait. The key's expiry is the lease.
--   <claim> <end>       contended: the exclusive owner, while others wait. The lease ends with this ms of Redis's clock. The key outlives
--                       it by the liveness timeout, so that a plain SET NX fails on it and cannot overtake the queue.
--   min-hold:<claim> <end>
--                       contended, and nobody's, for a minimum hold time
--   readers             a type tag: the readers' set tells who is inside
--   permits             a type tag, too: the set holds the claims that have a permit each
-- A lease past its end, and a type tag without a valid lease in the set, mean that the lock is free and that the queue comes next. Without
-- the key nobody is inside, and nobody whose process lives waits. store() alone writes it, but for the fast paths of a free lock and an
-- uncontended owner.
--
-- The fence key holds "<number> <claim>": the last fencing number, and the claim it was drawn for. A claim that owns the lock by a plain
-- SET has none yet, so the number alone would not tell whose it is.

local verb, settings, claim = ARGV[1], ARGV[2], ARGV[3]
local found = redis.call('MGET', KEYS[1], KEYS[2], unpack(KEYS, 6))

-- Fast path: an uncontended owner, so nobody waits, without a minimum time or a tombstone to write.
if verb == 'release' and found[1] == claim and not KEYS[6] and not ARGV[4] then
  redis.call('DEL', KEYS[1])
  return '1'
end

-- The lock, as it was found and as this run changes it.
local lock = {
  fence = found[2],           -- what the fence key holds, false if it is absent
  exists = found[1] ~= false, -- whether there is an owner key
  micros = nil,               -- Redis's clock, read once for the whole run
  now = nil,                  -- the same in ms
  owner = nil,                -- the exclusive owner
  ends = nil,                 -- the last ms of its lease; nil if its key has no expiry, because it was edited by hand
  contended = nil,            -- whether its key outlives its lease
  tag = nil,                  -- the type tag in the owner key
  shared = nil,               -- whether anybody reads or has a permit; nil until this run has found out, and store() deletes nothing
  longest = nil,              -- how long the longest lease of these lasts, in ms; nil until it is looked up
  changed = false,            -- whether the owner key has to be written
  queue_is_empty = false,     -- whether this run knows that no claim is queued
  ticket = nil,               -- the last one that this run has given
  quota = 100,                -- how many more claims this run may admit, drop or notify, since it blocks Redis
  has_more = false,           -- whether some remain: the calling process continues at once (admit); if it fails to, the next request does
}

-- As text, because Lua's own formatting rounds large numbers. It holds 16 digits exactly.
local function text(number)
  return string.format('%.0f', number)
end

local function read_clock()
  local time = redis.call('TIME')
  lock.micros = time[1] * 1000000 + time[2]
  lock.now = math.floor(lock.micros / 1000)
end

-- When memory is full, Redis refuses a write that may grow the data, unless the script has already written; it never refuses an expiry or a
-- deletion. So there are three sorts of writes: what is for a new claim may be refused (put); what a holder needs, or a claim that is entitled
-- to hold, sets an expiry first (write, and the verb number); what keeps a queued claim in its place sets that of the queue first (write_for).

-- Writes a text that MGET has found, or has not. It does not find a value of another type either, which another application wrote: then this
-- fails, with Redis's own error, and overwrites nothing.
local function put(key, exists, value, millis)
  if exists then
    redis.call('SET', key, value, 'PX', text(millis))
  elseif not redis.call('SET', key, value, 'PX', text(millis), 'NX') then
    redis.call('GET', key)
  end
end

local function last_number()
  return lock.fence and string.match(lock.fence, '^%d+') or '0'
end

local function is_numbered(claim)
  return lock.fence and string.match(lock.fence, '^%d+ (.*)$') == claim
end

-- How long a number is remembered, at least: it outlives the lease by half of its usual life.
local fence_life = tonumber(string.match(settings, '^%d+'))
local function life_for(lease)
  return math.max(fence_life, lease + fence_life / 2)
end

-- Draws a number: greater than the last one, and than those from before Redis lost its data.
local function draw(claim, life)
  local drawn = text(math.max(lock.micros, tonumber(last_number()) + 1)) .. ' ' .. claim
  put(KEYS[2], lock.fence, drawn, life)
  lock.fence = drawn
  return last_number()
end

-- To read, or for a permit.
local function is_shared_claim(claim)
  return string.find(claim, ':[rp][%d-]+$') ~= nil
end

if verb == 'acquire' then
  if found[3] then
    return 'gone'
  end
  -- Fast path: an exclusive claim and a free lock. Without the owner key nobody who lives waits.
  if not lock.exists and not is_shared_claim(claim) then
    read_clock()
    local drawn = draw(claim, life_for(ARGV[4]))
    put(KEYS[1], false, claim, ARGV[4])
    return 'ok ' .. drawn .. ' 0'
  end
end

-- Who is inside --------------------------------------------------------------------------------------------------------------------------

-- Whole ms belong to a lease, as with Redis's own expiry: times are truncated to ms.
local function read_owner()
  local value = found[1]
  local is_tag = value == 'readers' or value == 'permits'
  local owner, ends = string.match(not is_tag and value or '', '^(.*) (%d+)$')
  local uncontended = value and not is_tag and not owner
  -- Before the clock, so that the time between never shortens the lease. For a number, it does not matter.
  local left = uncontended and verb ~= 'number' and redis.call('PTTL', KEYS[1]) or -1
  read_clock()
  if is_tag then
    lock.tag = value
  elseif uncontended then
    lock.owner, lock.ends, lock.contended = value, left >= 0 and lock.now + left or nil, false
  elseif owner and tonumber(ends) >= lock.now then
    lock.owner, lock.ends, lock.contended = owner, tonumber(ends), true
  end
end

read_owner()

local MIN_HOLD = 'min-hold:'

-- Whether nobody owns or reads: a minimum hold goes on after the release.
local function is_min_hold(claim)
  return string.sub(claim, 1, #MIN_HOLD) == MIN_HOLD
end

-- The last ms of the claim's lease if it reads now, otherwise nil.
local function reads_until(claim)
  local ends = lock.tag and tonumber(redis.call('ZSCORE', KEYS[5], claim) or 0) or 0
  return ends >= lock.now and ends or nil
end

local function readers(limit, ...)
  return redis.call('ZRANGE', KEYS[5], text(lock.now), '+inf', 'BYSCORE', 'LIMIT', 0, limit, ...)
end

local function count_readers()
  return redis.call('ZCOUNT', KEYS[5], text(lock.now), '+inf')
end

local function inside(limit)
  return lock.owner and {lock.owner} or lock.tag and readers(limit) or {}
end

-- holders: who is inside, in the order in which their leases end, a hundred in a run. A claim that is inside from the first run to the last is
-- named in one of them.
-- ARGV  3 where the last run has ended; absent at first
-- Result  where this run has ended, empty if nobody follows; then the claims, one per line
if verb == 'holders' then
  if not lock.exists then
    -- Fails if the key is another application's.
    redis.call('GET', KEYS[1])
  end
  if not lock.tag then
    return '\n' .. (lock.owner or '')
  end
  local function count_before(ends)
    return redis.call('ZCOUNT', KEYS[5], '-inf', '(' .. ends)
  end
  -- Among all whose leases end in the same ms, the place of the last one.
  local ends, place, last = string.match(ARGV[3] or '', '^(%S+) (%d+) (.*)$')
  local start = count_before(ends or text(lock.now))
  if ends then
    local there = start + place - 1
    -- If it has moved, others may have moved up: then all of that ms are named again.
    if redis.call('ZRANGE', KEYS[5], there, there)[1] == last then
      start = there + 1
    end
  end
  local page, claims = redis.call('ZRANGE', KEYS[5], start, start + lock.quota - 1, 'WITHSCORES'), {}
  for i = 1, #page, 2 do
    claims[#claims + 1] = page[i]
  end
  local stopped = ''
  if #claims == lock.quota then
    ends = page[#page]
    stopped = ends .. ' ' .. text(start + #claims - count_before(ends)) .. ' ' .. claims[#claims]
  end
  return stopped .. '\n' .. table.concat(claims, '\n')
end

-- locked: whether anybody is inside.
-- Result  1 or 0
if verb == 'locked' then
  if not lock.exists then
    -- Fails if the key is another application's.
    redis.call('GET', KEYS[1])
  end
  return (lock.owner or lock.tag and count_readers() > 0) and '1' or '0'
end

-- number: draws the fencing number of an ownership that began with a plain SET.
-- ARGV  3 claim  4 lease in ms, which the number outlives
-- Result  the number, or "gone" if the claim does not own the lock
if verb == 'number' then
  if lock.owner ~= claim then
    return 'gone'
  end
  local life = life_for(ARGV[4])
  if is_numbered(claim) then
    -- This command is a repeat.
    redis.call('PEXPIRE', KEYS[2], text(math.max(life, redis.call('PTTL', KEYS[2]))))
    return last_number()
  end
  local drew, drawn = pcall(draw, claim, life)
  if not drew then
    -- Fails again if the key is another application's, which must not expire.
    redis.call('GET', KEYS[2])
    redis.call('PEXPIRE', KEYS[2], text(life))
    drawn = draw(claim, life)
  end
  return drawn
end

-- raise-fence: raises the last fencing number of a lock that the claim owns. In a quorum each node issues its own numbers; the greatest is
-- written back to a quorum before the client uses it.
-- ARGV  3 claim  4 lease in ms, which the number outlives  5 fencing number  6 minimum uptime of the server in seconds; absent for none
-- Result   1  the claim owns the lock, and its number is now at least this one
--          0  the claim does not own the lock; nothing changed
--         -1  the server has not been up long enough; nothing changed
if verb == 'raise-fence' then
  if lock.owner ~= claim then
    return '0'
  end
  if ARGV[6] then
    local uptime = string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)')
    if tonumber(uptime) < tonumber(ARGV[6]) then
      return '-1'
    end
  end
  if tonumber(last_number()) < tonumber(ARGV[5]) then
    put(KEYS[2], lock.fence, ARGV[5] .. ' ' .. claim, life_for(ARGV[4]))
  end
  return '1'
end

-- inspect: describes a lock without changing it.
-- ARGV  3 the maximum number of readers or permits, and of waiting claims, to list
-- Result  lines: "<last fence, 0 if none> <queued claims>", then one per claim:
--         "owns <ms left, -1 without a TTL> <claim>", "reads <ms left> <claim>" for a reader or a permit, "waits 0 <claim>" in queue
--         order
if verb == 'inspect' then
  local most = ARGV[3]
  if not (lock.exists and lock.fence) then
    -- Fails if a key is another application's.
    redis.call('GET', KEYS[1])
    redis.call('GET', KEYS[2])
  end
  local lines = {last_number() .. ' ' .. redis.call('ZCARD', KEYS[3])}
  if lock.owner then
    lines[2] = 'owns ' .. text(lock.ends and lock.ends - lock.now or -1) .. ' ' .. lock.owner
  elseif lock.tag then
    local inside = readers(most, 'WITHSCORES')
    for i = 1, #inside, 2 do
      lines[#lines + 1] = 'reads ' .. text(inside[i + 1] - lock.now) .. ' ' .. inside[i]
    end
  end
  for _, waiting in ipairs(redis.call('ZRANGE', KEYS[3], 0, most - 1)) do
    lines[#lines + 1] = 'waits 0 ' .. waiting
  end
  return table.concat(lines, '\n')
end

-- Who holds the lock from now on ---------------------------------------------------------------------------------------------------------

local liveness_timeout, queue_life, tombstone_life, channel, name =
  string.match(settings, '^%d+ (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')
liveness_timeout = tonumber(liveness_timeout)

-- Runs a write that may grow the data, for a claim that holds the lock or is entitled to it.
local function write(key, millis, ...)
  local answer = redis.pcall(...)
  if type(answer) == 'table' and answer.err then
    redis.call('PEXPIRE', key, text(millis))
    answer = redis.call(...)
  end
  return answer
end

local function put_owner(value, millis)
  if lock.exists then
    write(KEYS[1], millis, 'SET', KEYS[1], value, 'PX', text(millis))
  else
    put(KEYS[1], false, value, millis)
  end
  lock.exists, lock.changed = true, false
end

-- The only place that writes the owner key: it names the claims that are inside, and exists while a living process waits.
local function store()
  if lock.changed and lock.owner and lock.contended then
    put_owner(lock.owner .. ' ' .. text(lock.ends), lock.ends - lock.now + liveness_timeout)
  elseif lock.changed and lock.owner then
    put_owner(lock.owner, math.max(lock.ends - lock.now, 1))
  elseif lock.changed then
    put_owner(lock.tag, lock.longest + liveness_timeout)
  elseif lock.owner or lock.shared ~= false then
    return
  elseif lock.has_more then
    -- Keeps the lock from a plain SET until the queue was looked at.
    put_owner('readers', liveness_timeout)
  elseif lock.exists then
    redis.call('DEL', KEYS[1])
    lock.exists = false
  end
end

-- Makes the claim the exclusive owner until "last", contended if others wait.
local function own(claim, last, contended)
  lock.owner, lock.ends, lock.contended, lock.tag, lock.shared = claim, last, contended, nil, false
  lock.changed = true
end

-- The lock is nobody's any more.
local function vacate()
  lock.owner, lock.ends, lock.tag, lock.shared, lock.longest = nil, nil, nil, false, nil
  lock.changed = false
end

-- Others wait: from now on the key outlives the lease.
local function set_contended()
  if lock.owner and lock.ends and not lock.contended then
    own(lock.owner, lock.ends, true)
  end
end

-- A claim has left the queue. If it was the last, the owner is uncontended again; a minimum hold stays contended.
local function clear_contended_without_queue()
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('UNLINK', KEYS[4])
    if lock.owner and lock.contended and not is_min_hold(lock.owner) then
      own(lock.owner, lock.ends, false)
    end
  end
end

-- How long the longest lease of a reader lasts, in ms: the owner key outlives it by the liveness timeout.
local function longest_lease()
  if not lock.longest then
    lock.longest = lock.tag and redis.call('PTTL', KEYS[1]) - liveness_timeout or 0
  end
  return lock.longest
end

-- How many permits there are for the claim; nothing if it asks for a lock.
local function permits_of(claim)
  return tonumber(string.match(claim, ':p(%d+)%-%d+$'))
end

-- Makes the claim a reader until "last", or prolongs its lease.
local function share(claim, last)
  local left = math.max(longest_lease(), last - lock.now, 1)
  if not lock.shared or left ~= lock.longest then
    local tag = lock.shared and lock.tag or permits_of(claim) and 'permits' or 'readers'
    vacate()
    lock.tag, lock.shared, lock.longest = tag, true, left
    lock.changed = true
  end
  -- First, because this fails if the key is another application's.
  store()
  write(KEYS[5], left, 'ZADD', KEYS[5], text(last), claim)
  redis.call('PEXPIRE', KEYS[5], text(left))
end

-- Draws a number for the claim. For a reader it lives as long as other readers may need.
local function number(claim, lease)
  local shared = (lock.tag or is_shared_claim(claim)) and math.max(longest_lease(), lease) or lease
  return draw(claim, life_for(shared))
end

-- Makes the claim a holder. Returns its fencing number.
local function enter(claim, lease, others)
  local drawn = number(claim, lease)
  if is_shared_claim(claim) then
    share(claim, lock.now + lease)
  else
    own(claim, lock.now + lease, others)
    store()
  end
  return drawn
end

-- renew-reader: extends a reader's lease, or only checks that the claim still reads. Also for a permit.
-- ARGV  3 claim  4 lease in ms from now, 0 only to check
-- Result  the word of renew.lua for this claim
if verb == 'renew-reader' then
  local ends, lease = reads_until(claim), tonumber(ARGV[4])
  if not ends then
    return 'gone'
  end
  if lease > 0 then
    lock.shared = true
    share(claim, math.max(ends, lock.now + lease))
    -- Never shortens: another reader may need a longer life.
    redis.call('PEXPIRE', KEYS[2], text(math.max(redis.call('PTTL', KEYS[2]), life_for(lease))))
  end
  return redis.call('EXISTS', KEYS[3]) == 1 and 'wanted' or 'held'
end

-- Messages and the answer ----------------------------------------------------------------------------------------------------------------

-- A claim is "<instance>:<number>", "<instance>:r<number>" to read, or "<instance>:p<permits>-<number>" for one of so many permits; an
-- instance may itself contain colons.
local function instance_of(claim)
  return string.match(claim, '^(.*):[^:]*$') or claim
end

-- The messages that the calling process has to send.
local outbox = {}

-- Tells the process of a claim to ask. A minimum hold has no process.
local function notify(word, claim)
  if is_min_hold(claim) then
    return
  end
  if channel ~= '' then
    local sent = redis.pcall('PUBLISH', channel .. instance_of(claim), word .. '\n' .. claim .. '\n' .. name)
    if type(sent) ~= 'table' then
      return
    end
  end
  outbox[#outbox + 1] = word .. ' ' .. claim
end

-- Ends the run. What the calling process has to do afterwards follows the answer, each thing on a line of its own: the word "has-more" if
-- other claims remain to be admitted; then, after the word "outbox", the messages to send, as "<verb> <claim>": all if there is no channel,
-- otherwise those that Redis refuses to publish.
local function done(answer)
  store()
  if lock.has_more then
    answer = answer .. '\nhas-more'
  end
  if #outbox > 0 then
    answer = answer .. '\noutbox\n' .. table.concat(outbox, '\n')
  end
  return answer
end

-- probe-owner: asks the process of the owner, or those of the hundred readers or permits whose leases end first, whether they know of their
-- claims. A process that does not releases the claim.
-- Result  nothing
if verb == 'probe-owner' then
  for _, holder in ipairs(inside(lock.quota)) do
    notify('probe', holder)
  end
  return done('')
end

-- The queue ------------------------------------------------------------------------------------------------------------------------------

local function within_quota()
  lock.has_more = lock.has_more or lock.quota == 0
  lock.quota = math.max(lock.quota - 1, 0)
  return not lock.has_more
end

-- Whether the process of a queued claim lives: within the liveness timeout it queued the claim, at the time of the ticket, or sent a
-- heartbeat.
local function is_live(claim, ticket)
  local joined = math.floor(ticket / 1000)
  -- In either direction: the clock may step back, and then what an earlier heartbeat left must not make a new claim count as dead.
  if math.abs(lock.now - joined) < liveness_timeout then
    return true
  end
  local live_until = tonumber(redis.call('HGET', KEYS[4], instance_of(claim)) or joined + liveness_timeout)
  return live_until and live_until > lock.now
end

-- Without a queue the peers mean nothing. Redis deletes an empty queue itself. UNLINK, because there may be many peers.
local function leave_queue(claim, others)
  if others then
    redis.call('ZREM', KEYS[3], claim)
  else
    redis.call('UNLINK', KEYS[3], KEYS[4])
    lock.queue_is_empty = true
  end
end

-- The first queued claim whose process lives, and whether others are queued behind it; drops claims of dead processes ahead of it.
local function first_live()
  while not lock.queue_is_empty do
    local first, ticket, second = unpack(redis.call('ZRANGE', KEYS[3], 0, 1, 'WITHSCORES'))
    if not first then
      lock.queue_is_empty = true
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

-- Whose lease has ended keeps nobody out, so the quota may leave some for the next run.
local function drop_ended_readers()
  if lock.shared == nil then
    local ends_first = lock.tag and tonumber(redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2])
    lock.shared = ends_first and ends_first >= lock.now or false
    if ends_first and not lock.shared then
      local ended = redis.call('ZRANGE', KEYS[5], '-inf', '(' .. text(lock.now), 'BYSCORE', 'LIMIT', 0, lock.quota)
      if #ended > 0 then
        redis.call('ZREM', KEYS[5], unpack(ended))
        lock.quota = lock.quota - #ended
      end
      lock.shared = count_readers() > 0
    end
  end
end

-- Whether a claim may enter beside those who share the lock, if any do. A permit counts the others by the claim's own limit, so that
-- processes that disagree on it never take a permit away.
local function may_enter(claim)
  if not lock.shared then
    return true
  end
  if lock.tag == 'permits' then
    return count_readers() < (permits_of(claim) or 0)
  end
  return is_shared_claim(claim) and not permits_of(claim)
end

-- Admits what may enter now: the first exclusive claim if the lock is free; or all readers queued ahead of it; or claims while permits are
-- left. Until they confirm, their lease is the liveness timeout. Returns whether the claim "me", which is not admitted here, may enter too,
-- and if so whether it is queued, and whether others are queued.
local function admit_waiters(me)
  if lock.owner then
    return false
  end
  if not lock.exists then
    -- Fails if the key is another application's, before anybody leaves the queue.
    redis.call('GET', KEYS[1])
  end
  drop_ended_readers()
  while true do
    local first, others = first_live()
    if lock.has_more then
      return false
    end
    if not first or first == me then
      return me ~= nil and may_enter(me), first ~= nil, others
    end
    if not may_enter(first) or not within_quota() then
      return false
    end
    leave_queue(first, others)
    enter(first, liveness_timeout, others)
    notify('granted', first)
    if lock.owner then
      return false
    end
  end
end

-- release: releases the lock, or leaves its queue, and admits the next claims.
-- KEYS  6 tombstone of the claim, if one is to be written
-- ARGV  3 claim  4 minimum hold that is left, in ms; absent for none
-- Result  1  the claim held the lock
--         0  it did not; if it was queued, it no longer is
if verb == 'release' then
  local tombstone, min_hold = KEYS[6], tonumber(ARGV[4])
  local owns, reads = lock.owner == claim, reads_until(claim)
  -- Deletions and expiries come first, the tombstone last, which full memory then does not refuse. No claim is named "min-hold:...", so
  -- nobody renews or releases it.
  local was_queued
  if owns then
    -- A SET that ran late may have made a queued claim the owner.
    was_queued = tombstone and redis.call('ZREM', KEYS[3], claim) == 1
    if min_hold then
      own(MIN_HOLD .. claim, lock.now + min_hold, true)
    else
      vacate()
    end
  elseif reads then
    redis.call('ZREM', KEYS[5], claim)
    if min_hold then
      share(MIN_HOLD .. claim, lock.now + min_hold)
    end
  else
    was_queued = redis.call('ZREM', KEYS[3], claim) == 1
  end
  if owns or reads or was_queued then
    admit_waiters()
  end
  if was_queued then
    clear_contended_without_queue()
  end
  store()
  -- A duplicate acquire of this claim finds the tombstone and does nothing.
  if tombstone then
    redis.call('SET', tombstone, '1', 'PX', tombstone_life)
  end
  return done((owns or reads) and '1' or '0')
end

-- admit: admits the claims that an earlier run left because it had reached its quota.
-- Result  nothing
if verb == 'admit' then
  admit_waiters()
  return done('')
end

-- force-release: takes the lock from the claims, which were inside when the caller looked, notifies them, and admits the next. A duplicate
-- finds them gone, and takes it from nobody else. For operations.
-- ARGV  3.. the claims, at most a hundred
-- Result  nothing
if verb == 'force-release' then
  for i = 3, #ARGV do
    local holder = ARGV[i]
    local owns, reads = lock.owner == holder, reads_until(holder)
    if owns then
      vacate()
    elseif reads then
      redis.call('ZREM', KEYS[5], holder)
    end
    if owns or reads then
      lock.quota = lock.quota - 1
      notify('revoked', holder)
    end
  end
  if lock.tag and count_readers() == 0 then
    vacate()
  end
  admit_waiters()
  return done('')
end

-- Runs a command that may grow the data, for a claim that must not lose its place if it is queued.
local function write_for(claim, ...)
  local answer = redis.pcall(...)
  if type(answer) == 'table' and answer.err then
    if redis.call('ZSCORE', KEYS[3], claim) then
      redis.call('PEXPIRE', KEYS[3], queue_life)
    end
    answer = redis.call(...)
  end
  return answer
end

local function record_heartbeat(claim)
  write_for(claim, 'HSET', KEYS[4], instance_of(claim), text(lock.now + liveness_timeout))
  redis.call('PEXPIRE', KEYS[4], queue_life)
end

-- Milliseconds until the lock is free if nobody renews; negative if unknown.
local function millis_left()
  if lock.owner then
    return lock.ends and lock.ends - lock.now or -1
  end
  local last
  if lock.tag == 'permits' then
    -- The first lease that ends lets somebody in.
    last = tonumber(readers(1, 'WITHSCORES')[2])
  elseif lock.tag then
    last = tonumber(redis.call('ZREVRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2])
  end
  return last and math.max(last - lock.now, 0) or 0
end

local function busy()
  return 'busy ' .. text(millis_left()) .. ' ' .. last_number()
end

-- Asking ---------------------------------------------------------------------------------------------------------------------------------

-- The last ticket that was given, if there is a queue. An uncontended owner means that nobody who lives is queued.
local function last_ticket()
  if not lock.ticket and not lock.queue_is_empty and (not lock.owner or lock.contended) then
    lock.ticket = tonumber(redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2])
  end
  return lock.ticket
end

-- The ticket is the time, but later than every earlier one: the clock may step back, and claims may queue in the same microsecond. It shows
-- that the process of a new claim lives; see is_live().
local function join_queue(claim)
  local last = last_ticket()
  lock.ticket = math.max(lock.micros, last and last + 1 or 0)
  local joined = write_for(claim, 'ZADD', KEYS[3], 'NX', text(lock.ticket), claim) == 1
  if not joined then
    record_heartbeat(claim)
  end
  -- The first who joins in a period of ten seconds keeps the queue for all: those ahead may be dead, or leave before a heartbeat.
  if not joined or not last or math.floor(lock.micros / 10000000) ~= math.floor(last / 10000000) then
    redis.call('PEXPIRE', KEYS[3], queue_life)
  end
  lock.queue_is_empty = false
  set_contended()
end

-- A holder of a lock while the claim asks for a permit, or the other way round: a name is one or the other.
local function opposite_of(claim)
  local permit = permits_of(claim) ~= nil
  if lock.owner then
    return permit and lock.owner
  end
  return lock.shared and (lock.tag == 'permits') ~= permit and readers(1)[1]
end

local function ok(word, drawn, others)
  return word .. ' ' .. drawn .. ' ' .. (others and 1 or 0)
end

-- It was granted, or this command is a repeat, or a SET of the same claim ran. Never shortens the lease.
local function extend_owner(claim, lease)
  own(claim, math.max(lock.ends or 0, lock.now + lease), lock.contended)
  if is_numbered(claim) then
    redis.call('PEXPIRE', KEYS[2], text(life_for(lock.ends - lock.now)))
    return last_number()
  end
  -- The SET may have run so late that the claim is queued as well. A claim with a number was taken out of the queue before.
  if redis.call('ZREM', KEYS[3], claim) == 1 then
    clear_contended_without_queue()
  end
  store()
  return number(claim, lease)
end

-- Acquires the lock for one claim.
local function acquire_for(claim, lease, waits)
  if lock.owner == claim then
    return ok('ok', extend_owner(claim, lease), lock.contended)
  end
  local reads = reads_until(claim)
  if reads then
    lock.shared = true
    share(claim, math.max(reads, lock.now + lease))
    return ok('still', number(claim, lease), redis.call('EXISTS', KEYS[3]) == 1)
  end
  -- Without the owner key nobody waits.
  if not lock.exists then
    return ok('ok', enter(claim, lease, false), false)
  end

  -- Before dead claims are dropped: otherwise a process that paused would drop its own claims.
  if waits and not lock.owner and redis.call('EXISTS', KEYS[3]) == 1 then
    record_heartbeat(claim)
  end
  local may, queued, others = admit_waiters(claim)
  if may then
    if queued then
      leave_queue(claim, others)
    end
    local drawn = enter(claim, lease, others)
    if others and is_shared_claim(claim) then
      -- Admit those queued right behind this one who share the lock with it.
      admit_waiters()
    end
    return ok('ok', drawn, others)
  end
  local opposite = opposite_of(claim)
  if opposite then
    return 'mixed ' .. opposite
  end
  if waits then
    join_queue(claim)
  end
  return busy()
end

-- acquire: acquires the lock, or tries again. May run after a plain SET of the same claim.
-- KEYS  6 tombstone of the claim
-- ARGV  3 claim  4 lease in ms  5 "wait" to join the queue; absent otherwise
-- Result  "ok <fence> <others>"                 the claim holds the lock; 1 if others are queued, otherwise 0
--         "still <fence> <others>"              the claim already reads; the number is new
--         "busy <ms until the lock is free> <last fence>"
--         "mixed <claim>"                       the name is a lock and has permits: this claim holds the other
--         "gone"                                the claim was abandoned
if verb == 'acquire' then
  return done(acquire_for(claim, tonumber(ARGV[4]), ARGV[5] ~= nil))
end

-- heartbeat: of one process, for its claims that wait for a lock. Shows that the process lives, admits whatever may enter, and acquires for
-- the claims that are not queued: they hold the lock, or have lost their places and queue again, in this order.
-- KEYS  6.. tombstone of each claim
-- ARGV  3.. each claim and its lease in ms
-- Result  the answer of acquire to each, one per line
if verb == 'heartbeat' then
  -- The expiry comes first, because full memory does not refuse it. Without a queue nobody would read the peers.
  if redis.call('PEXPIRE', KEYS[3], queue_life) == 1 then
    record_heartbeat(claim)
    -- These claims may have counted as dead, and an uncontended owner may have come since.
    set_contended()
    admit_waiters()
  end
  local claims = {}
  for i = 1, #KEYS - 5 do
    claims[i] = ARGV[2 * i + 1]
  end
  local tickets, waits, answers = redis.call('ZMSCORE', KEYS[3], unpack(claims)), busy(), {}
  for i, one in ipairs(claims) do
    -- A SET that ran late may have made a queued claim the owner.
    if tickets[i] and one ~= lock.owner then
      answers[i] = waits
    else
      answers[i] = found[i + 2] and 'gone' or acquire_for(one, tonumber(ARGV[2 * i + 2]), true)
    end
  end
  return done(table.concat(answers, '\n'))
end
