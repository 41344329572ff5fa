-- Takes the lock from all its holders, notifies them, and admits the next claims. For operations.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result   0  done
--         -1  nobody held the lock
--         otherwise the number of remaining readers or permits: run again; nothing was admitted yet
--         then what remains to be done (see with_duties in handover.lua)

local context = ARGV[1]
-- include clock.lua
-- include fence.lua
-- include owner.lua
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua

-- A lock kept for its minimum time has no holder to notify.
local function revoke(claim)
  if string.sub(claim, 1, 5) ~= 'kept:' then
    tell('revoked', claim)
  end
end

local readers = mark and redis.call('ZCOUNT', KEYS[5], number(now), '+inf') or 0
if not owner and readers == 0 then
  -- Fails if the key is another application's, which MGET does not find.
  redis.call('GET', KEYS[1])
  return '-1'
end

-- Deletions come first, because full memory does not refuse them.
if owner then
  redis.call('DEL', KEYS[1])
  exists = false
  quota = quota - 1
  revoke(owner)
else
  local some = redis.call('ZRANGE', KEYS[5], number(now), '+inf', 'BYSCORE', 'LIMIT', 0, quota)
  redis.call('ZREM', KEYS[5], unpack(some))
  quota = quota - #some
  for _, claim in ipairs(some) do
    revoke(claim)
  end
  if readers > #some then
    return with_duties(number(readers - #some))
  end
end

vacate()
let_in()
tidy()
return with_duties('0')
