-- The heartbeat of claims of one process that wait for one lock: shows that the process lives, lets in whoever may enter, and tells
-- which of the claims stand in the queue. Costs about the same for one of them and for some hundred.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers
-- ARGV  1 context (see handover.lua)  2.. claims, in the order in which they came
-- Result  "busy <ms until nobody is inside> <last fence>", which is the answer to each claim but those on the next line
--         the numbers of the claims, from 0, that do not stand in the queue: inside, or without their places
--         and "undone" on a line of its own behind that if others may enter whom nobody has let in yet (see handover.lua)

local context = ARGV[1]
-- include fence.lua
-- include clock.lua
-- include readers.lua
-- include handover.lua
-- include busy.lua

local now = server_millis()
-- First what expires, which is not refused when memory is full. Without a queue there would be nobody to see the life that is shown.
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
