-- The heartbeat of one process's waiting claims for a lock: shows that the process lives, admits whatever may enter, and reports
-- which claims are not queued. Costs about the same for one claim as for hundreds.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)  2.. claims, in order of arrival
-- Result  "busy <ms until the lock is free> <last fence>", the answer to every claim but those on the next line
--         the indices, from 0, of claims that are not queued: they hold the lock or have lost their places
--         then "undone" on its own line if other claims remain to be admitted (see handover.lua)

local context = ARGV[1]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua

local now = server_millis()
-- The expiry comes first, because full memory does not refuse it. Without a queue nobody would read the peers.
if redis.call('PEXPIRE', KEYS[3], queue_life) == 1 then
  show_life(ARGV[2], now)
  redis.call('PEXPIRE', KEYS[4], queue_life)
  if redis.call('EXISTS', KEYS[1]) == 0 then
    let_in(now)
    drop_peers_of_empty_queue()
  end
end

local answer = busy(now)
local absent = {}
for i, ticket in ipairs(redis.call('ZMSCORE', KEYS[3], unpack(ARGV, 2))) do
  if not ticket then
    absent[#absent + 1] = i - 1
  end
end
return answer .. '\n' .. table.concat(absent, ' ') .. (undone and '\nundone' or '')
