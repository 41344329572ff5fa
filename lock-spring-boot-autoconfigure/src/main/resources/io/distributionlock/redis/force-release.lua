-- Takes the lock from all its holders, notifies them, and admits the next claims. For operations.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result   0  done
--         -1  nobody held the lock
--         -2  done, and other claims remain to be admitted (see handover.lua)
--         otherwise the number of remaining readers: run again; nothing was admitted yet

local context = ARGV[1]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua

-- A lock kept for its minimum time has no holder to notify.
local function tell(claim)
  if string.sub(claim, 1, 5) ~= 'kept:' then
    redis.call('PUBLISH', channel .. instance_of(claim), table.concat({'revoked', claim, lock}, '\n'))
  end
end

local now = server_millis()
local owner = redis.call('GET', KEYS[1])
local reading = redis.call('ZCOUNT', KEYS[5], number(now), '+inf')
if not owner and reading == 0 then
  return -1
end

if owner then
  redis.call('DEL', KEYS[1])
  tell(owner)
end
if reading > 0 then
  local readers = redis.call('ZRANGE', KEYS[5], number(now), '+inf', 'BYSCORE', 'LIMIT', 0, quota)
  redis.call('ZREM', KEYS[5], unpack(readers))
  for _, claim in ipairs(readers) do
    tell(claim)
  end
  quota = quota - #readers
  if reading > #readers then
    return reading - #readers
  end
end

let_in(now)
drop_peers_of_empty_queue()
return undone and -2 or 0
