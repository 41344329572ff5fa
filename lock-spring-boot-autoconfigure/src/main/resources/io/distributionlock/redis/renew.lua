-- Prolongs a lease, or only asks whether the claim is still inside.
--
-- KEYS  1 owner  2 fence  3 queue  4 readers
-- ARGV  1 claim  2 lease in ms from now, "0" only to ask  3 life of the fence in ms
-- Result  how many claims stand in the queue, if the claim is inside; otherwise -1

-- Never shorter: a renewal that was sent before an extension may arrive after it. Written even if it stays the same, so that
-- replicas have something to acknowledge.
local function keep_key(key, millis)
  redis.call('PEXPIRE', key, string.format('%.0f', math.max(redis.call('PTTL', key), tonumber(millis))))
end

local claim, lease = ARGV[1], ARGV[2]
if redis.call('GET', KEYS[1]) == claim then
  if lease ~= '0' then
    keep_key(KEYS[1], lease)
  end
else
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local ends = tonumber(redis.call('ZSCORE', KEYS[4], claim) or 0)
  if ends < now then
    return -1
  end
  if lease ~= '0' then
    redis.call('ZADD', KEYS[4], string.format('%.0f', math.max(ends, now + lease)), claim)
    keep_key(KEYS[4], lease)
  end
end

if lease ~= '0' then
  keep_key(KEYS[2], ARGV[3])
end
return redis.call('ZCARD', KEYS[3])
