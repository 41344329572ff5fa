-- Replaces the line "include ask.lua" when a script is loaded. Requires handover.lua and busy.lua, with their requirements, before it.

local function ok(word, fence)
  return word .. ' ' .. fence .. ' ' .. redis.call('ZCARD', KEYS[3])
end

-- Acquires the lock for one claim; the answer is acquire.lua's. When memory is full, Redis refuses a write that may grow unless the
-- script has already written. So the path of a known claim starts with an expiry and succeeds; that of a new claim starts
-- with a write that grows and is refused.
local function ask(claim, lease, life, tombstone, waits)
  if redis.call('EXISTS', tombstone) == 1 then
    return 'gone'
  end

  local now = server_millis()
  -- It was granted, or this command is a repeat. Never shortens the lease.
  if redis.call('GET', KEYS[1]) == claim then
    keep_key(KEYS[1], lease)
    keep_key(KEYS[2], life)
    return ok('ok', redis.call('GET', KEYS[2]) or next_fence(life))
  end
  local reads = reads_until(KEYS[5], claim, now)
  if reads then
    read_on_until(KEYS[5], claim, math.max(reads, now + lease), now)
    return ok('still', next_fence(longest(life)))
  end

  local stands = waits and redis.call('ZSCORE', KEYS[3], claim)
  if stands then
    redis.call('PEXPIRE', KEYS[3], queue_life)
  end
  -- Before dead claims are dropped: otherwise a process that paused would drop its own claims.
  if waits then
    show_life(claim, now)
  end

  if let_in(now, claim) then
    local fence = enter(claim, lease, life, now)
    if stands or not waits then
      redis.call('ZREM', KEYS[3], claim)
    end
    if asks_to_read(claim) then
      -- Admit the readers queued right behind this one.
      let_in(now)
    end
    drop_peers_of_empty_queue()
    return ok('ok', fence)
  end

  if not waits then
    drop_peers_of_empty_queue()
    return busy(now)
  end
  if not stands then
    -- A ticket, not a time, because the server's clock may step back.
    local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
    redis.call('ZADD', KEYS[3], (tonumber(last) or 0) + 1, claim)
    redis.call('PEXPIRE', KEYS[3], queue_life)
  end
  redis.call('PEXPIRE', KEYS[4], queue_life)
  return busy(now)
end
