-- Makes an exclusive owner a reader for what is left of its lease, and lets in the readers that wait right behind.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 claim  2 context (see handover.lua)
-- Result  1  the claim reads, now or already
--         0  it was not inside
--         and 2 more if others may enter whom nobody has let in yet (see handover.lua)

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
