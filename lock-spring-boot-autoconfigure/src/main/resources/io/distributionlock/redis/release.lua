-- Gives up a lock, or a place in its queue; hands a lock over to the first waiter whose process lives.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 tombstone of the claim, to be left; left out otherwise
-- ARGV  1 claim  2 context (see handover.lua)  3 ms for which nobody gets the lock yet; left out for none
-- Result  1  the claim owned the lock
--         0  it did not; if it stood in the queue, it does no longer

local claim, tombstone, keep = ARGV[1], KEYS[5], ARGV[3]
local owns = redis.call('GET', KEYS[1]) == claim

-- Nobody waits, nothing to leave behind: the usual case, kept short.
if owns and not tombstone and not keep and redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('DEL', KEYS[1])
  return 1
end

local context = ARGV[2]
-- include fence.lua
-- include handover.lua

-- An acquire of this claim that arrives later finds the tombstone and takes nothing.
if tombstone then
  redis.call('SET', tombstone, '1', 'PX', tombstone_life)
end

if not owns then
  if redis.call('ZREM', KEYS[3], claim) == 1 then
    drop_peers_of_empty_queue()
  end
  return 0
end

-- No claim is named like this, so that nobody renews or releases it.
if keep then
  redis.call('SET', KEYS[1], 'kept:' .. claim, 'PX', keep)
  return 1
end

pass_on()
return 1
