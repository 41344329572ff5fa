-- Asks for several claims of one process at once, of which each waits. Those that have lost their places stand in the queue
-- again, in this order.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6.. tombstone of each claim
-- ARGV  1 life of the fence in ms  2 context (see handover.lua)  3.. claim and its lease in ms, for each
-- Result  what acquire.lua answers to each of them, on a line of its own; then "undone" on one more, as there

local context = ARGV[2]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua
-- include ask.lua

-- They waited before, and are not refused a place when memory is full; see ask.lua.
redis.call('PEXPIRE', KEYS[3], queue_life)

local answers = {}
for i = 6, #KEYS do
  local claim = 2 * (i - 6) + 3
  answers[#answers + 1] = ask(ARGV[claim], tonumber(ARGV[claim + 1]), tonumber(ARGV[1]), KEYS[i], true)
end
return table.concat(answers, '\n') .. (undone and '\nundone' or '')
