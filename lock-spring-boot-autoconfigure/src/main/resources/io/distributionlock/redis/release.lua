-- Gives up a lock, or a place in its queue; hands a lock over to the first waiter whose process lives.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 tombstone of the claim
-- ARGV  1 claim  2 life of the tombstone in ms, "0" for no tombstone  3 life of the fence in ms  4 grant lease in ms
--       5 channel without the instance  6 name of the lock  7 ms for which nobody gets the lock yet, "0" for none
-- Result  {1}  the claim owned the lock
--         {0}  it did not; if it stood in the queue, it does no longer

-- include handover.lua

-- An acquire of this claim that arrives later finds the tombstone and takes nothing.
if ARGV[2] ~= '0' then
  redis.call('SET', KEYS[5], '1', 'PX', ARGV[2])
end

local claim = ARGV[1]
if redis.call('GET', KEYS[1]) ~= claim then
  if redis.call('ZREM', KEYS[3], claim) == 1 then
    drop_peers_of_empty_queue()
  end
  return {0}
end

-- No claim is named like this, so that nobody renews or releases it.
if ARGV[7] ~= '0' then
  redis.call('SET', KEYS[1], 'kept:' .. claim, 'PX', ARGV[7])
  return {1}
end

if redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('DEL', KEYS[1])
  return {1}
end

local micros = server_micros()
local first = first_live(math.floor(micros / 1000))
if first then
  grant(first, micros)
else
  redis.call('DEL', KEYS[1])
end
drop_peers_of_empty_queue()
return {1}
