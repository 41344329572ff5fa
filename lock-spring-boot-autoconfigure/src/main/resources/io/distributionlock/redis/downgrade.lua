-- Turns the owner into a reader for the rest of its lease, and admits the readers queued right behind.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 claim  2 context (see handover.lua)
-- Result  1  the claim reads, now or already
--         0  it did not hold the lock
--         then what remains to be done (see with_duties in handover.lua)

local context = ARGV[2]
-- include clock.lua
-- include fence.lua
-- include owner.lua
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local left = plain_left(KEYS[1], value)
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua

local claim = ARGV[1]
if owner == claim then
  local last = ends or now + math.max(left, 0)
  -- The expiry comes first, because full memory does not refuse it.
  redis.call('PEXPIRE', KEYS[1], number(last - now + live_window))
  read_until(claim, last)
  let_in()
  tidy()
  return with_duties('1')
end
return mark and reads_until(KEYS[5], claim, now) and '1' or '0'
