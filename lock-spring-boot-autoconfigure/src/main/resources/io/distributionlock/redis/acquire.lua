-- Acquires the lock, or tries again. May run more than once, and late.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6 tombstone of the claim
-- ARGV  1 claim  2 lease in ms  3 lifetime of the fence in ms  4 context (see handover.lua)
--       5 "wait" to join the queue; absent otherwise
-- Result  "ok <fence> <queued claims>"          the claim holds the lock
--         "still <fence> <queued claims>"       the claim already reads; the number is new
--         "busy <ms until the lock is free> <last fence>"
--         "gone"                                the claim was abandoned
--         then "undone" on its own line if other claims remain to be admitted (see handover.lua)

-- include fence.lua

-- Fast path: an exclusive claim, no holder, no queue, no tombstone.
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
