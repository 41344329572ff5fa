-- Extends a lease, or only checks that the claim still holds the lock.
--
-- KEYS  1 owner  2 fence  3 queue  4 readers
-- ARGV  1 claim  2 lease in ms from now, 0 only to check  3 lifetime of the fence in ms  4 live window in ms
-- Result  the number of queued claims if the claim holds the lock, otherwise -1

-- include clock.lua
-- include owner.lua
-- include readers.lua

local claim, lease, life, live_window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local value, now = redis.call('GET', KEYS[1]), server_millis()
local owner, ends = owner_in(value, now)
if value == 'readers' then
  ends = reads_until(KEYS[4], claim, now)
  if not ends then
    return -1
  end
elseif owner ~= claim then
  return -1
end

-- Expiries come first, because full memory does not refuse them.
if lease > 0 then
  keep_key(KEYS[2], life)
  if value == 'readers' then
    read_on_until(KEYS[1], KEYS[4], claim, math.max(ends, now + lease), now, live_window)
  elseif ends then
    redis.call('PEXPIRE', KEYS[1], number(ends - now + live_window))
    write_guard(KEYS[1], claim, math.max(ends, now + lease), now, live_window)
  else
    keep_key(KEYS[1], lease)
  end
end
return redis.call('ZCARD', KEYS[3])
