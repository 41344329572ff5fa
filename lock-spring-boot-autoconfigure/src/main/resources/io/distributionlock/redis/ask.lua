-- Put in place of the line "include ask.lua" of a script when it is loaded; needs handover.lua and what that needs before it.

-- In how many ms nobody will be inside any more, if nobody renews.
local function millis_left(now)
  local left = redis.call('PTTL', KEYS[1])
  local last = tonumber(redis.call('ZREVRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2] or 0) or 0
  return math.max(left, last - now)
end

local function ok(word, fence)
  return word .. ' ' .. fence .. ' ' .. redis.call('ZCARD', KEYS[3])
end

-- One claim asks for the lock, or asks again; the answer is that of acquire.lua.
local function ask(claim, lease, life, tombstone, waits)
  if redis.call('EXISTS', tombstone) == 1 then
    return 'gone'
  end

  local now = server_millis()
  -- It was granted, or this command is a repeat. A lease is never shortened.
  if redis.call('GET', KEYS[1]) == claim then
    keep_key(KEYS[1], lease)
    keep_key(KEYS[2], tonumber(life))
    return ok('ok', redis.call('GET', KEYS[2]) or next_fence(life))
  end
  local reads = reads_until(KEYS[5], claim, now)
  if reads then
    read_until(KEYS[5], claim, math.max(reads, now + lease), now)
    return ok('still', next_fence(life))
  end

  -- Before any dead claim is dropped: otherwise a process that paused would drop its own claims.
  if waits then
    redis.call('HSET', KEYS[4], instance_of(claim), number(now + live_window))
  end

  if let_in(now, claim) then
    local fence = enter(claim, lease, life, now)
    -- Readers that stood right behind this one.
    let_in(now)
    drop_peers_of_empty_queue()
    return ok('ok', fence)
  end

  if waits then
    if not redis.call('ZSCORE', KEYS[3], claim) then
      -- A ticket, not a time: the server's clock may step back.
      local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
      redis.call('ZADD', KEYS[3], (tonumber(last) or 0) + 1, claim)
    end
    redis.call('PEXPIRE', KEYS[3], queue_life)
    redis.call('PEXPIRE', KEYS[4], queue_life)
  else
    drop_peers_of_empty_queue()
  end
  return 'busy ' .. number(millis_left(now)) .. ' ' .. (redis.call('GET', KEYS[2]) or '0')
end
