-- Acquires for several waiting claims of one process at once. Those that have lost their places queue again, in this order.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6.. tombstone of each claim
-- ARGV  1 lifetime of the fence in ms  2 context (see handover.lua)  3.. each claim and its lease in ms
-- Result  acquire.lua's answer to each, one per line; then what remains to be done, as there

local context = ARGV[2]
-- include clock.lua
-- include fence.lua
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local gone = redis.call('MGET', unpack(KEYS, 6))
-- include owner.lua
local left = plain_left(KEYS[1], value)
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua
-- include ask.lua

-- These claims waited before, so full memory must not cost them their places; see ask.lua.
redis.call('PEXPIRE', KEYS[3], queue_life)

-- Each claim counts, whether it is admitted or not.
quota = math.max(0, quota - #gone)

local answers = {}
for i, tombstone in ipairs(gone) do
  local claim = 2 * i + 1
  answers[i] = tombstone and 'gone' or ask(ARGV[claim], tonumber(ARGV[claim + 1]), tonumber(ARGV[1]), true)
end
tidy()
return with_duties(table.concat(answers, '\n'))
