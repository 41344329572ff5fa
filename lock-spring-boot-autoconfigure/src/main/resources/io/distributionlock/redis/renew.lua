-- Extends a lease, or only checks that the claim still holds the lock.
--
-- KEYS  1 owner  2 fence  3 queue  4 readers
-- ARGV  1 claim  2 lease in ms from now, 0 only to check  3 lifetime of the fence in ms
-- Result  the number of queued claims if the claim holds the lock, otherwise -1

-- include clock.lua
-- include readers.lua

local claim, lease = ARGV[1], tonumber(ARGV[2])
if redis.call('GET', KEYS[1]) == claim then
  if lease > 0 then
    keep_key(KEYS[1], lease)
  end
else
  local now = server_millis()
  local ends = reads_until(KEYS[4], claim, now)
  if not ends then
    return -1
  end
  if lease > 0 then
    read_on_until(KEYS[4], claim, math.max(ends, now + lease), now)
  end
end

if lease > 0 then
  keep_key(KEYS[2], tonumber(ARGV[3]))
end
return redis.call('ZCARD', KEYS[3])
