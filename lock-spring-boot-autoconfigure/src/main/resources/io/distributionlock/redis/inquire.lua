-- Asks the holders' processes whether they know of their claims. A process that does not releases the claim.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result  how many claims were examined: the owner, or the hundred readers or permits whose leases end first; then what remains to be
--         done (see with_duties in handover.lua)

local context = ARGV[1]
-- include clock.lua
-- include fence.lua
-- include owner.lua
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua

local inside = owner and {owner}
  or mark and redis.call('ZRANGE', KEYS[5], number(now), '+inf', 'BYSCORE', 'LIMIT', 0, quota)
  or {}
for _, claim in ipairs(inside) do
  -- A lock kept for its minimum time has no holder to ask.
  if string.sub(claim, 1, 5) ~= 'kept:' then
    tell('asked', claim)
  end
end
return with_duties(number(#inside))
