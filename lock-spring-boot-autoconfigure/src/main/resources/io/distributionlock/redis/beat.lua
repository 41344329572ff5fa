-- The heartbeat of one process's waiting claims for a lock: shows that the process lives, admits whatever may enter, and reports
-- which of some of its claims are not queued.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)  2.. claims to look for, in order of arrival
-- Result  "busy <ms until the lock is free> <last fence>", the answer to every waiting claim but those on the next line
--         the indices, from 0, of claims that are not queued: they hold the lock or have lost their places
--         then what remains to be done (see with_duties in handover.lua)

local context = ARGV[1]
-- include clock.lua
-- include fence.lua
-- include owner.lua
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local left = plain_left(KEYS[1], value)
local micros = server_micros()
-- include state.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua

-- The expiry comes first, because full memory does not refuse it. Without a queue nobody would read the peers.
if redis.call('PEXPIRE', KEYS[3], queue_life) == 1 then
  redis.call('HSET', KEYS[4], instance_of(ARGV[2]), number(now + live_window))
  redis.call('PEXPIRE', KEYS[4], queue_life)
  -- These claims may have counted as dead, and a plain owner may have come since.
  guard()
  let_in()
  tidy()
end

local answer = busy()
local absent = {}
for i, ticket in ipairs(redis.call('ZMSCORE', KEYS[3], unpack(ARGV, 2))) do
  -- A SET that ran late may have made a queued claim the owner.
  if not ticket or ARGV[i + 1] == owner then
    absent[#absent + 1] = i - 1
  end
end
return with_duties(answer .. '\n' .. table.concat(absent, ' '))
