-- Releases the lock, or leaves its queue, and admits the next claims.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6 tombstone of the claim, if one is to be written
-- ARGV  1 claim  2 context (see handover.lua)  3 ms for which the lock must still be kept; absent for none
-- Result  1  the claim held the lock
--         0  it did not; if it was queued, it no longer is
--         then what remains to be done (see with_duties in handover.lua)

local claim, tombstone, keep = ARGV[1], KEYS[6], tonumber(ARGV[3])
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))

-- Fast path: a plain owner, so nobody waits, without a minimum time or a tombstone to write.
if value == claim and not tombstone and not keep then
  redis.call('DEL', KEYS[1])
  return '1'
end

local context = ARGV[2]
-- include clock.lua
-- include fence.lua
-- include owner.lua
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua

local owns = owner == claim
local reads = mark and reads_until(KEYS[5], claim, now)

-- Deletions and expiries come first, the tombstone last: when memory is full, Redis refuses a write that may grow unless the script
-- has already written. No claim is named "kept:...", so nobody renews or releases it.
local left
if owns then
  -- A SET that ran late may have made a queued claim the owner.
  left = tombstone and redis.call('ZREM', KEYS[3], claim) == 1
  if keep then
    redis.call('PEXPIRE', KEYS[1], number(keep + live_window))
    own_until('kept:' .. claim, now + keep, true)
  else
    vacate()
  end
elseif reads then
  redis.call('ZREM', KEYS[5], claim)
  if keep then
    read_until('kept:' .. claim, now + keep)
  end
else
  left = redis.call('ZREM', KEYS[3], claim) == 1
end

if owns or reads or left then
  let_in()
end
if left then
  unguard_without_queue()
end
tidy()

-- A late acquire of this claim finds the tombstone and does nothing.
if tombstone then
  redis.call('SET', tombstone, '1', 'PX', tombstone_life)
end

return with_duties((owns or reads) and '1' or '0')
