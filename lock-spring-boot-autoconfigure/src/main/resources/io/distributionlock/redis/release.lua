-- Gives up a lock, or a place in its queue; lets in whoever may enter then.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6 tombstone of the claim, to be left; left out otherwise
-- ARGV  1 claim  2 context (see handover.lua)  3 ms for which the lock stays taken yet; left out for none
-- Result  1  the claim was inside
--         0  it was not; if it stood in the queue, it does no longer
--         and 2 more if others may enter whom nobody has let in yet (see handover.lua)

local claim, tombstone, keep = ARGV[1], KEYS[6], ARGV[3]
local owns = redis.call('GET', KEYS[1]) == claim

-- Nobody waits, nothing to leave behind: the usual case, kept short.
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

-- What frees or expires goes first, and the tombstone last: a Redis whose memory is full refuses what may grow, unless the script has
-- written before. No claim is named "kept:...", so that nobody renews or releases it.
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

-- An acquire of this claim that arrives later finds the tombstone and takes nothing.
if tombstone then
  redis.call('SET', tombstone, '1', 'PX', tombstone_life)
end

return ((owns or reads) and 1 or 0) + (undone and 2 or 0)
