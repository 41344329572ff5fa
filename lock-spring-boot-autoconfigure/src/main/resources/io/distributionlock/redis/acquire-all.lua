-- Acquires for several waiting claims of one process at once. Those that have lost their places queue again, in this order.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6.. tombstone of each claim
-- ARGV  1 lifetime of the fence in ms  2 context (see handover.lua)  3.. each claim and its lease in ms
-- Result  acquire.lua's answer to each, one per line; then possibly "undone", as there

local context = ARGV[2]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua
-- include ask.lua

-- These claims waited before, so full memory must not cost them their places; see ask.lua.
redis.call('PEXPIRE', KEYS[3], queue_life)

local answers = {}
for i = 6, #KEYS do
  local claim = 2 * (i - 6) + 3
  answers[#answers + 1] = ask(ARGV[claim], tonumber(ARGV[claim + 1]), tonumber(ARGV[1]), KEYS[i], true)
end
return table.concat(answers, '\n') .. (undone and '\nundone' or '')
