-- Releases the lock, or leaves its queue, and admits the next claims.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6 tombstone of the claim, if one is to be written
-- ARGV  1 claim  2 context (see handover.lua)  3 ms for which the lock must still be kept; absent for none
-- Result  1  the claim held the lock
--         0  it did not; if it was queued, it no longer is
--         plus 2 if other claims remain to be admitted (see handover.lua)

local claim, tombstone, keep = ARGV[1], KEYS[6], ARGV[3]
local owns = redis.call('GET', KEYS[1]) == claim

-- Fast path: the owner, with no queue, no minimum time and no tombstone to write.
if owns and not tombstone and not keep and redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('DEL', KEYS[1])
  return 1
end

local context = ARGV[2]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua

local now = server_millis()
local reads = not owns and reads_until(KEYS[5], claim, now)

-- Deletions and expiries come first, the tombstone last: when memory is full, Redis refuses a write that may grow unless the script
-- has already written. No claim is named "kept:...", so nobody renews or releases it.
local left
if owns then
  if keep then
    redis.call('PEXPIRE', KEYS[1], keep)
    redis.call('SET', KEYS[1], 'kept:' .. claim, 'PX', keep)
  else
    redis.call('DEL', KEYS[1])
  end
elseif reads then
  redis.call('ZREM', KEYS[5], claim)
  if keep then
    read_until(KEYS[5], 'kept:' .. claim, now + keep, now)
  end
else
  left = redis.call('ZREM', KEYS[3], claim) == 1
end

if owns or reads or left then
  let_in(now)
  drop_peers_of_empty_queue()
end

-- A late acquire of this claim finds the tombstone and does nothing.
if tombstone then
  redis.call('SET', tombstone, '1', 'PX', tombstone_life)
end

return ((owns or reads) and 1 or 0) + (undone and 2 or 0)
