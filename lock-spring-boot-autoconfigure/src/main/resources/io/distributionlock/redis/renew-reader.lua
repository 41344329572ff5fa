-- Extends the lease of a reader, or only checks that the claim still reads.
--
-- KEYS  1 owner  2 fence  3 queue  4 readers
-- ARGV  1 claim  2 lease in ms from now, 0 only to check  3 lifetime of the fence in ms  4 live window in ms
-- Result  the number of queued claims if the claim reads, otherwise -1

-- include clock.lua
-- include owner.lua
-- include readers.lua

local claim, lease, life, live_window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = server_millis()
local ends = redis.call('GET', KEYS[1]) == 'readers' and reads_until(KEYS[4], claim, now)
if not ends then
  return -1
end

if lease > 0 then
  read_on_until(KEYS[1], KEYS[4], claim, math.max(ends, now + lease), now, live_window)
  keep_key(KEYS[2], life)
end
return redis.call('ZCARD', KEYS[3])
