-- Turns the owner into a reader for the rest of its lease, and admits the readers queued right behind.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 claim  2 context (see handover.lua)
-- Result  1  the claim reads, now or already
--         0  it did not hold the lock
--         plus 2 if other claims remain to be admitted (see handover.lua)

local context = ARGV[2]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua

local claim, now = ARGV[1], server_millis()
if redis.call('GET', KEYS[1]) == claim then
  local left = redis.call('PTTL', KEYS[1])
  redis.call('DEL', KEYS[1])
  read_until(KEYS[5], claim, now + left, now)
  let_in(now)
  drop_peers_of_empty_queue()
end
return (reads_until(KEYS[5], claim, now) and 1 or 0) + (undone and 2 or 0)
