-- Extends the lease of a reader or a permit, or only checks that the claim still has it.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- ARGV  3 claim  4 lease in ms from now, 0 only to check
-- Result  the word of renew.lua for this claim
--@include hold

local ends, lease = reads_until(claim), tonumber(ARGV[4])
if not ends then
  return 'gone'
end
if lease > 0 then
  share(claim, math.max(ends, now + lease))
  -- Never shortens: another reader may need a longer life.
  redis.call('PEXPIRE', KEYS[2], text(math.max(redis.call('PTTL', KEYS[2]), life_for(lease))))
end
return redis.call('EXISTS', KEYS[3]) == 1 and 'wanted' or 'held'
