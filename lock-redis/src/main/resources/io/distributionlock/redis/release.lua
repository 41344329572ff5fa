-- Releases the lock, or leaves its queue, and admits the next claims.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- KEYS  6 tombstone of the claim, if one is to be written
-- ARGV  3 claim  4 minimum hold that is left, in ms; absent for none
-- Result  1  the claim held the lock
--         0  it did not; if it was queued, it no longer is
--@include lock

-- Fast path: an uncontended owner, so nobody waits.
if found[1] == claim and not KEYS[6] and not ARGV[4] then
  redis.call('DEL', KEYS[1])
  return '1'
end
--@include admission

local tombstone, min_hold = KEYS[6], tonumber(ARGV[4])
local owns, reads = lock.owner == claim, reads_until(claim)
-- Deletions and expiries come first, the tombstone last, which full memory then does not refuse.
local was_queued
if owns then
  -- A SET that ran late may have made a queued claim the owner.
  was_queued = tombstone and redis.call('ZREM', KEYS[3], claim) == 1
  if min_hold then
    own(MIN_HOLD .. claim, now + min_hold, true)
  else
    vacate()
  end
elseif reads then
  redis.call('ZREM', KEYS[5], claim)
  if min_hold then
    share(MIN_HOLD .. claim, now + min_hold)
  end
else
  was_queued = redis.call('ZREM', KEYS[3], claim) == 1
end
if owns or reads or was_queued then
  admit_waiters()
end
if was_queued then
  clear_contended_without_queue()
end
settle()
-- A duplicate acquire of this claim finds the tombstone and does nothing.
if tombstone then
  redis.call('SET', tombstone, '1', 'PX', tombstone_life)
end
return with_follow_up((owns or reads) and '1' or '0')
