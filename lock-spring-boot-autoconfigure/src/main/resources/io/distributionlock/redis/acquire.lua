-- Asks for a lock, or asks again. May run more than once, and late.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 tombstone of the claim
-- ARGV  1 claim  2 lease in ms  3 life of the fence in ms  4 grant lease in ms  5 channel without the instance
--       6 name of the lock  7 "1" to wait in the queue, "0" not to  8 live window in ms  9 life of the queue in ms
-- Result  {1, fence, claims in the queue}              the claim owns the lock
--         {0, ms left of the owner's lease, last fence}  somebody else does
--         {2}                                          the claim was given up before

-- include handover.lua

-- Nobody owns it, nobody waits, nothing was given up: the usual case, kept short.
if redis.call('EXISTS', KEYS[5], KEYS[1], KEYS[3]) == 0 then
  local fence = next_fence(server_micros())
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return {1, fence, 0}
end

if redis.call('EXISTS', KEYS[5]) == 1 then
  return {2}
end

local claim = ARGV[1]
local waits = ARGV[7] == '1'
local micros = server_micros()
local now_millis = math.floor(micros / 1000)
local owner = redis.call('GET', KEYS[1])

-- It was granted, or this command is a repeat. A lease is never shortened.
if owner == claim then
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  local fence = tonumber(redis.call('GET', KEYS[2]) or 0) or 0
  if fence == 0 then
    fence = next_fence(micros)
  elseif redis.call('PTTL', KEYS[2]) < tonumber(ARGV[3]) then
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
  end
  return {1, fence, redis.call('ZCARD', KEYS[3])}
end

-- Before any dead claim is dropped: otherwise a process that paused would drop its own claims.
if waits then
  redis.call('HSET', KEYS[4], instance_of(claim), string.format('%.0f', now_millis + ARGV[8]))
end

if not owner then
  local first = first_live(now_millis)
  if not first or first == claim then
    local fence = next_fence(micros)
    redis.call('SET', KEYS[1], claim, 'PX', ARGV[2])
    redis.call('ZREM', KEYS[3], claim)
    drop_peers_of_empty_queue()
    return {1, fence, redis.call('ZCARD', KEYS[3])}
  end
  grant(first, micros)
end

if waits then
  if not redis.call('ZSCORE', KEYS[3], claim) then
    -- A ticket, not a time: the server's clock may step back.
    local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
    redis.call('ZADD', KEYS[3], (tonumber(last) or 0) + 1, claim)
  end
  redis.call('PEXPIRE', KEYS[3], ARGV[9])
  redis.call('PEXPIRE', KEYS[4], ARGV[9])
else
  drop_peers_of_empty_queue()
end
return {0, redis.call('PTTL', KEYS[1]), tonumber(redis.call('GET', KEYS[2]) or 0) or 0}
