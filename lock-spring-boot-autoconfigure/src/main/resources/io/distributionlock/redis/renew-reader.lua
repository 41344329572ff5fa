-- Extends a reader's lease, or only checks that the claim still reads. Also for a permit, and for a claim that is about to be downgraded.
--
-- KEYS  1 owner  2 readers  3 queue  4 fence, only if the claim has a number
-- ARGV  1 claim  2 lease in ms from now, 0 only to check  3 lifetime of the fence in ms  4 live window in ms
-- Result  the word of renew.lua for this claim; "owns" if renew.lua is to be asked

-- include clock.lua
-- include owner.lua
-- include readers.lua

local claim, lease = ARGV[1], tonumber(ARGV[2])
-- Another application's value is as none for MGET: the lock is lost. GET would fail.
local value, now = redis.call('MGET', KEYS[1])[1], server_millis()
if not is_mark(value) then
  return owner_in(value, now) == claim and 'owns' or 'gone'
end
local ends = reads_until(KEYS[2], claim, now)
if not ends then
  return 'gone'
end
if lease > 0 then
  read_on_until(KEYS[1], KEYS[2], claim, math.max(ends, now + lease), now, tonumber(ARGV[4]))
  if KEYS[4] then
    keep_key(KEYS[4], tonumber(ARGV[3]))
  end
end
return redis.call('EXISTS', KEYS[3]) == 1 and 'wanted' or 'held'
