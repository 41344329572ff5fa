-- Replaces the line "include ask.lua" when a script is loaded. Requires handover.lua and busy.lua, with their requirements, before it.

local function ok(word, drawn, others)
  return word .. ' ' .. drawn .. ' ' .. (others and redis.call('ZCARD', KEYS[3]) or 0)
end

-- It was granted, or this command is a repeat, or a SET of the same claim ran, perhaps so late that the claim is queued as well. Never
-- shortens the lease.
local function own_on(claim, lease, life)
  if redis.call('ZREM', KEYS[3], claim) == 1 then
    unguard_without_queue()
  end
  if ends then
    redis.call('PEXPIRE', KEYS[1], number(ends - now + live_window))
    own_until(claim, math.max(ends, now + lease), true)
  else
    own_lease_end = math.max(plain_end() or 0, now + lease)
    redis.call('PEXPIRE', KEYS[1], number(own_lease_end - now))
  end
  if is_numbered(fence, claim) then
    keep_key(KEYS[2], life)
    return last_number(fence)
  end
  return next_fence(claim, lease, life)
end

-- Runs a command that may grow the data. When memory is full, Redis refuses it unless the script has already written. A queued claim must
-- not lose its place that way: it starts with an expiry.
local function write_for(claim, ...)
  local result = redis.pcall(...)
  if type(result) == 'table' then
    if redis.call('ZSCORE', KEYS[3], claim) then
      redis.call('PEXPIRE', KEYS[3], queue_life)
    end
    result = redis.call(...)
  end
  return result
end

-- As a heartbeat does.
local function show_life(claim)
  write_for(claim, 'HSET', KEYS[4], instance_of(claim), number(now + live_window))
  redis.call('PEXPIRE', KEYS[4], queue_life)
end

-- The time, but later than every earlier ticket: the clock may step back, and claims may queue in the same microsecond. A plain owner
-- means that nobody who lives is queued; see owner.lua.
local ticket
local function next_ticket()
  if not ticket then
    local last = not queue_is_empty and (not owner or ends) and redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
    ticket = math.max(micros, last and last + 1 or 0)
  else
    ticket = ticket + 1
  end
  return number(ticket)
end

-- The ticket shows that the process of a new claim lives; see is_live().
local function join_queue(claim)
  local joined = write_for(claim, 'ZADD', KEYS[3], 'NX', next_ticket(), claim) == 1
  redis.call('PEXPIRE', KEYS[3], queue_life)
  if not joined then
    show_life(claim)
  end
  queue_is_empty = false
  guard()
end

-- A holder of a lock while the claim asks for a permit, or the other way round: a name is one or the other.
local function opposite_of(claim)
  local permit = permits_of(claim) ~= nil
  if owner then
    return permit and owner
  end
  return reading and (mark == 'permits') ~= permit
    and redis.call('ZRANGE', KEYS[5], number(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1)[1]
end

-- Acquires the lock for one claim; the answer is acquire.lua's.
local function ask(claim, lease, life, waits)
  if owner == claim then
    return ok('ok', own_on(claim, lease, life), ends)
  end
  local reads = mark and reads_until(KEYS[5], claim, now)
  if reads then
    readers_left = read_on_until(KEYS[1], KEYS[5], claim, math.max(reads, now + lease), now, live_window)
    reading = true
    return ok('still', next_fence(claim, lease, life), true)
  end
  -- Without the owner key nobody waits; see owner.lua.
  if not exists then
    return ok('ok', enter(claim, lease, life, false), false)
  end

  -- Before dead claims are dropped: otherwise a process that paused would drop its own claims.
  if waits and not owner and redis.call('EXISTS', KEYS[3]) == 1 then
    show_life(claim)
  end
  local may_enter, stands, others = let_in(claim)
  if may_enter then
    if stands then
      leave_queue(claim, others)
    end
    local drawn = enter(claim, lease, life, others)
    if others and asks_to_share(claim) then
      -- Admit those queued right behind this one who share the lock with it.
      let_in()
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
