-- Admits the claims that an earlier script left because it had reached its quota.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result  "done", then what remains to be done (see with_duties in handover.lua)

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
return with_duties('done')
