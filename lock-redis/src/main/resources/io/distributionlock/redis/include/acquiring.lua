-- Acquiring the lock for one claim.
--@include admission

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
  write_for(claim, 'HSET', KEYS[4], instance_of(claim), text(now + liveness_timeout))
  redis.call('PEXPIRE', KEYS[4], queue_life)
end

local ticket -- the last one that this run has given

-- The ticket is the time, but later than every earlier one: the clock may step back, and claims may queue in the same microsecond. It shows
-- that the process of a new claim lives; see is_live().
local function join_queue(claim)
  local last = ticket
  -- An uncontended owner means that nobody who lives is queued.
  if not last and not queue_is_empty and (not lock.owner or lock.contended) then
    last = tonumber(redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2])
  end
  ticket = math.max(micros, last and last + 1 or 0)
  local joined = write_for(claim, 'ZADD', KEYS[3], 'NX', text(ticket), claim) == 1
  if not joined then
    record_heartbeat(claim)
  end
  -- The first who joins in a period of ten seconds keeps the queue for all: those ahead may be dead, or leave before a heartbeat.
  if not joined or not last or math.floor(micros / 10000000) ~= math.floor(last / 10000000) then
    redis.call('PEXPIRE', KEYS[3], queue_life)
  end
  queue_is_empty = false
  set_contended()
end

-- A holder of a lock while the claim asks for a permit, or the other way round: a name is one or the other.
local function opposite_of(claim)
  local permit = permits_of(claim) ~= nil
  if lock.owner then
    return permit and lock.owner
  end
  return not vacant and (lock.tag == 'permits') ~= permit and readers(1)[1]
end

-- Milliseconds until the lock is free if nobody renews; negative if unknown.
local function millis_left()
  if lock.owner then
    return lock.ends and lock.ends - now or -1
  end
  local last
  if lock.tag == 'permits' then
    -- The first lease that ends lets somebody in.
    last = tonumber(readers(1, 'WITHSCORES')[2])
  elseif lock.tag then
    last = tonumber(redis.call('ZREVRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2])
  end
  return last and math.max(last - now, 0) or 0
end

local function busy()
  return 'busy ' .. text(millis_left()) .. ' ' .. last_number()
end

local function ok(word, drawn, others)
  return word .. ' ' .. drawn .. ' ' .. (others and 1 or 0)
end

-- It was granted, or this command is a repeat, or a SET of the same claim ran. Never shortens the lease.
local function extend_owner(claim, lease)
  own(claim, math.max(lock.ends or 0, now + lease), lock.contended)
  if is_numbered(claim) then
    redis.call('PEXPIRE', KEYS[2], text(life_for(lock.ends - now)))
    return last_number()
  end
  -- The SET may have run so late that the claim is queued as well. A claim with a number was taken out of the queue before.
  if redis.call('ZREM', KEYS[3], claim) == 1 then
    clear_contended_without_queue()
  end
  store()
  return number(claim, lease)
end

-- Returns the answer of acquire.lua to the claim, which no tombstone names.
local function acquire_for(claim, lease, waits)
  if lock.owner == claim then
    return ok('ok', extend_owner(claim, lease), lock.contended)
  end
  local reads = reads_until(claim)
  if reads then
    share(claim, math.max(reads, now + lease))
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
