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
    keep_key(KEYS[1], lease)
  end
  if is_numbered(fence, claim) then
    keep_key(KEYS[2], life)
    return last_number(fence)
  end
  return next_fence(claim, lease, life)
end

-- Shows that the claim's process lives; returns whether it is new among those that wait. When memory is full, Redis refuses a write that
-- may grow unless the script has already written. A queued claim must not lose its place that way: it starts with an expiry.
local function show_life(claim)
  local life = {'HSET', KEYS[4], instance_of(claim), number(now + live_window)}
  local added = redis.pcall(unpack(life))
  if type(added) == 'table' then
    if redis.call('ZSCORE', KEYS[3], claim) then
      redis.call('PEXPIRE', KEYS[3], queue_life)
    end
    added = redis.call(unpack(life))
  end
  return added == 1
end

-- A queue outlives its last heartbeat, which extends it; here only what is new needs an expiry, and what asks again.
local function join_queue(claim, is_new_process)
  -- A ticket, not a time, because the server's clock may step back.
  local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
  local joined = redis.call('ZADD', KEYS[3], 'NX', (tonumber(last) or 0) + 1, claim) == 1
  if is_new_process or not last or not joined then
    redis.call('PEXPIRE', KEYS[3], queue_life)
    redis.call('PEXPIRE', KEYS[4], queue_life)
  end
  emptied = false
  guard()
end

-- Acquires the lock for one claim; the answer is acquire.lua's.
local function ask(claim, lease, life, waits)
  if owner == claim then
    return ok('ok', own_on(claim, lease, life), ends)
  end
  local reads = marked and reads_until(KEYS[5], claim, now)
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
  local shown, is_new_process = false, false
  if waits and not owner and redis.call('EXISTS', KEYS[3]) == 1 then
    shown, is_new_process = true, show_life(claim)
  end
  local may_enter, stands, others = let_in(claim)
  if may_enter then
    if stands then
      leave_queue(claim, others)
    end
    local drawn = enter(claim, lease, life, others)
    if others and asks_to_read(claim) then
      -- Admit the readers queued right behind this one.
      let_in()
    end
    return ok('ok', drawn, others)
  end
  if waits then
    join_queue(claim, shown and is_new_process or not shown and show_life(claim))
  end
  return busy()
end
