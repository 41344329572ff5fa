-- Asks the holders' processes whether they know of their claims. A process that does not releases the claim.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result  how many claims were examined: the owner, or the hundred readers whose leases end first

local context = ARGV[1]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua

drop_ended_readers(server_millis())
local inside = redis.call('ZRANGE', KEYS[5], 0, 99)
inside[#inside + 1] = redis.call('GET', KEYS[1]) or nil
for _, claim in ipairs(inside) do
  -- A lock kept for its minimum time has no holder to ask.
  if string.sub(claim, 1, 5) ~= 'kept:' then
    redis.call('PUBLISH', channel .. instance_of(claim), table.concat({'asked', claim, lock}, '\n'))
  end
end
return #inside
