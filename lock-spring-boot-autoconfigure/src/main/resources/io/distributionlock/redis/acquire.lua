-- Asks for a lock, or asks again. May run more than once, and late.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 tombstone of the claim
-- ARGV  1 claim  2 lease in ms  3 life of the fence in ms  4 context (see handover.lua)
--       5 "wait" to wait in the queue, left out otherwise
-- Result  "ok <fence> <claims in the queue>"                    the claim owns the lock
--         "busy <ms left of the owner's lease> <last fence>"    another one does
--         "gone"                                                the claim was given up before

-- include fence.lua

-- Nobody owns it, nobody waits, nothing was given up: the usual case, kept short.
if redis.call('EXISTS', KEYS[5], KEYS[1], KEYS[3]) == 0 then
  local fence = next_fence(ARGV[3])
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 'ok ' .. fence .. ' 0'
end

local context = ARGV[4]
-- include handover.lua

if redis.call('EXISTS', KEYS[5]) == 1 then
  return 'gone'
end

local claim, lease, own_fence_life, waits = ARGV[1], ARGV[2], ARGV[3], ARGV[5] ~= nil
local owner = redis.call('GET', KEYS[1])

-- It was granted, or this command is a repeat. A lease is never shortened.
if owner == claim then
  if redis.call('PTTL', KEYS[1]) < tonumber(lease) then
    redis.call('PEXPIRE', KEYS[1], lease)
  end
  if redis.call('PTTL', KEYS[2]) < tonumber(own_fence_life) then
    redis.call('PEXPIRE', KEYS[2], own_fence_life)
  end
  local fence = redis.call('GET', KEYS[2]) or next_fence(own_fence_life)
  return 'ok ' .. fence .. ' ' .. redis.call('ZCARD', KEYS[3])
end

-- Before any dead claim is dropped: otherwise a process that paused would drop its own claims.
local now = server_millis()
if waits then
  redis.call('HSET', KEYS[4], instance_of(claim), string.format('%.0f', now + live_window))
end

if not owner then
  local first = first_live(now)
  if not first or first == claim then
    local fence = next_fence(own_fence_life)
    redis.call('SET', KEYS[1], claim, 'PX', lease)
    redis.call('ZREM', KEYS[3], claim)
    drop_peers_of_empty_queue()
    return 'ok ' .. fence .. ' ' .. redis.call('ZCARD', KEYS[3])
  end
  grant(first)
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
return 'busy ' .. redis.call('PTTL', KEYS[1]) .. ' ' .. (redis.call('GET', KEYS[2]) or '0')
