-- Admits the claims that an earlier script left because it had reached its quota.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result  1 if more remain, otherwise 0

local context = ARGV[1]
-- include clock.lua
-- include fence.lua
-- include owner.lua
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua

let_in()
tidy()
return undone and 1 or 0
