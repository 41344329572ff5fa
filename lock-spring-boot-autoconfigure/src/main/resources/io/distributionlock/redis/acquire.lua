-- Acquires the lock, or tries again. May run more than once, and late, and after a plain SET of the same claim.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6 tombstone of the claim
-- ARGV  1 claim  2 lease in ms  3 lifetime of the fence in ms  4 context (see handover.lua)
--       5 "wait" to join the queue; absent otherwise
-- Result  "ok <fence> <queued claims>"          the claim holds the lock
--         "still <fence> <queued claims>"       the claim already reads; the number is new
--         "busy <ms until the lock is free> <last fence>"
--         "mixed <claim>"                       the name is a lock and has permits: this claim holds the other
--         "gone"                                the claim was abandoned
--         then what remains to be done (see with_duties in handover.lua)

-- include clock.lua
-- include fence.lua

local value, fence, gone = unpack(redis.call('MGET', KEYS[1], KEYS[2], KEYS[6]))
if gone then
  return 'gone'
end

-- Fast path: an exclusive claim and a free lock. Without the owner key nobody who lives waits; see owner.lua.
if not value and not string.find(ARGV[1], ':[rp][%d-]+$') then
  fence = draw(KEYS[2], fence, ARGV[1], server_micros(), ARGV[3])
  put(KEYS[1], value, ARGV[1], ARGV[2])
  return 'ok ' .. last_number(fence) .. ' 0'
end

local context = ARGV[4]
-- include owner.lua
local left = plain_left(KEYS[1], value)
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua
-- include ask.lua

local answer = ask(ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5] ~= nil)
tidy()
return with_duties(answer)
