-- Describes a lock without changing it.
--
-- KEYS  1 owner  2 fence  3 queue  4 readers
-- ARGV  1 the maximum number of readers or permits, and of waiting claims, to list
-- Result  lines: "<last fence, 0 if none> <queued claims>", then one per claim:
--         "owns <ms left, -1 without a TTL> <claim>", "reads <ms left> <claim>" for a reader or a permit, "waits 0 <claim>" in queue
--         order

-- include clock.lua
-- include fence.lua
-- include owner.lua

local lines = {}
-- Fails if the key is another application's.
local value, fence = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])
lines[1] = last_number(fence) .. ' ' .. redis.call('ZCARD', KEYS[3])

local now = server_millis()
local owner, ends = owner_in(value, now)
if owner then
  lines[#lines + 1] = 'owns ' .. (ends and number(ends - now) or redis.call('PTTL', KEYS[1])) .. ' ' .. owner
elseif is_mark(value) then
  local readers = redis.call('ZRANGE', KEYS[4], number(now), '+inf', 'BYSCORE', 'LIMIT', 0, ARGV[1], 'WITHSCORES')
  for i = 1, #readers, 2 do
    lines[#lines + 1] = 'reads ' .. number(readers[i + 1] - now) .. ' ' .. readers[i]
  end
end

for _, claim in ipairs(redis.call('ZRANGE', KEYS[3], 0, ARGV[1] - 1)) do
  lines[#lines + 1] = 'waits 0 ' .. claim
end

return table.concat(lines, '\n')
