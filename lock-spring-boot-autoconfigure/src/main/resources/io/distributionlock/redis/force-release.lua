-- Frees a lock whoever is inside, tells them, and lets in whoever may enter then. For operations.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result  1 if anybody was inside, otherwise 0

local context = ARGV[1]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua

local now = server_millis()
drop_ended_readers(now)
local inside = redis.call('ZRANGE', KEYS[5], 0, -1)
inside[#inside + 1] = redis.call('GET', KEYS[1]) or nil
if #inside == 0 then
  return 0
end

-- What is only kept for its minimum time has no owner to be told.
for _, claim in ipairs(inside) do
  if string.sub(claim, 1, 5) ~= 'kept:' then
    redis.call('PUBLISH', channel .. instance_of(claim), table.concat({'revoked', claim, lock}, '\n'))
  end
end

redis.call('DEL', KEYS[1], KEYS[5])
let_in(now)
drop_peers_of_empty_queue()
return 1
