-- Lets in whoever may enter, where a script before has left off because it had handled as many claims as one run may.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)
-- Result  1 if there are still others, otherwise 0

local context = ARGV[1]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua

let_in(server_millis())
drop_peers_of_empty_queue()
return undone and 1 or 0
