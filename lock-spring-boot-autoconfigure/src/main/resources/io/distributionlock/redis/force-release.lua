-- Frees a lock whoever owns it, tells its owner, and hands it over to the first waiter whose process lives. For operations.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers
-- ARGV  1 context (see handover.lua)
-- Result  1 if anybody owned the lock, otherwise 0

local context = ARGV[1]
-- include fence.lua
-- include handover.lua

local owner = redis.call('GET', KEYS[1])
if not owner then
  return 0
end

-- A lock that is only kept for its minimum time has no owner to be told.
if string.sub(owner, 1, 5) ~= 'kept:' then
  redis.call('PUBLISH', channel .. instance_of(owner), table.concat({'revoked', owner, lock}, '\n'))
end

pass_on()
return 1
