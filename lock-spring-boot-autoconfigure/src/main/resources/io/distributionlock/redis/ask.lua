-- Put in place of the line "include ask.lua" of a script when it is loaded; needs handover.lua, busy.lua and what these need before
-- it.

local function ok(word, fence)
  return word .. ' ' .. fence .. ' ' .. redis.call('ZCARD', KEYS[3])
end

-- One claim asks for the lock, or asks again; the answer is that of acquire.lua. Redis with full memory refuses what may grow, unless
-- the script has written before. So what a claim that is known here needs begins with what expires and is done; what a new one
-- needs begins with what grows and is refused.
local function ask(claim, lease, life, tombstone, waits)
  if redis.call('EXISTS', tombstone) == 1 then
    return 'gone'
  end

  local now = server_millis()
  -- It was granted, or this command is a repeat. A lease is never shortened.
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
  -- Before any dead claim is dropped: otherwise a process that paused would drop its own claims.
  if waits then
    show_life(claim, now)
  end

  if let_in(now, claim) then
    local fence = enter(claim, lease, life, now)
    if stands or not waits then
      redis.call('ZREM', KEYS[3], claim)
    end
    if asks_to_read(claim) then
      -- Readers that stood right behind this one.
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
    -- A ticket, not a time: the server's clock may step back.
    local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
    redis.call('ZADD', KEYS[3], (tonumber(last) or 0) + 1, claim)
    redis.call('PEXPIRE', KEYS[3], queue_life)
  end
  redis.call('PEXPIRE', KEYS[4], queue_life)
  return busy(now)
end
