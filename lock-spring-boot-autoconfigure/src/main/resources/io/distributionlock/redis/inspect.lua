-- Describes a lock without changing it.
--
-- KEYS  1 owner  2 fence  3 queue  4 readers
-- ARGV  1 the maximum number of readers, and of waiting claims, to list
-- Result  lines: "<last fence, 0 if none> <queued claims>", then one per claim:
--         "owns <ms left, -1 without a TTL> <claim>", "reads <ms left> <claim>", "waits 0 <claim>" in queue order

-- include clock.lua

local lines = {}
lines[1] = (redis.call('GET', KEYS[2]) or '0') .. ' ' .. redis.call('ZCARD', KEYS[3])

local owner = redis.call('GET', KEYS[1])
if owner then
  lines[#lines + 1] = 'owns ' .. redis.call('PTTL', KEYS[1]) .. ' ' .. owner
end

local now = server_millis()
local readers = redis.call('ZRANGE', KEYS[4], number(now), '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[1], 'WITHSCORES')
for i = 1, #readers, 2 do
  lines[#lines + 1] = 'reads ' .. number(readers[i + 1] - now) .. ' ' .. readers[i]
end

for _, claim in ipairs(redis.call('ZRANGE', KEYS[3], 0, ARGV[1] - 1)) do
  lines[#lines + 1] = 'waits 0 ' .. claim
end

return table.concat(lines, '\n')
