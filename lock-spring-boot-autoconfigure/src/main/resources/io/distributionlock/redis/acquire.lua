-- Asks for a lock, or asks again. May run more than once, and late.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6 tombstone of the claim
-- ARGV  1 claim  2 lease in ms  3 life of the fence in ms  4 context (see handover.lua)
--       5 "wait" to wait in the queue, left out otherwise
-- Result  "ok <fence> <claims in the queue>"          the claim is inside
--         "still <fence> <claims in the queue>"       it reads already; the number is a new one
--         "busy <ms until nobody is inside> <last fence>"
--         "gone"                                      the claim was given up before
--         and "undone" on a line of its own behind that if others may enter whom nobody has let in yet (see handover.lua)

-- include fence.lua

-- Nobody is inside, nobody waits, nothing was given up, and not to read: the usual case, kept short.
if redis.call('EXISTS', KEYS[6], KEYS[1], KEYS[3], KEYS[5]) == 0 and not string.find(ARGV[1], ':r%d+$') then
  local fence = next_fence(ARGV[3])
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 'ok ' .. fence .. ' 0'
end

local context = ARGV[4]
-- include clock.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua
-- include ask.lua

return ask(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), KEYS[6], ARGV[5] ~= nil) .. (undone and '\nundone' or '')
