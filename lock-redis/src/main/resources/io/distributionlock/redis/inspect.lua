-- Describes a lock without changing it.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- ARGV  3 the maximum number of readers or permits, and of waiting claims, to list
-- Result  lines: "<last fence, 0 if none> <queued claims>", then one per claim:
--         "owns <ms left, -1 without a TTL> <claim>", "reads <ms left> <claim>" for a reader or a permit, "waits 0 <claim>" in queue order
--@include inside
--@include fence

local most = ARGV[3]
if not (found[1] and found[2]) then
  -- Fails if a key is another application's.
  redis.call('GET', KEYS[1])
  redis.call('GET', KEYS[2])
end
local lines = {last_number() .. ' ' .. redis.call('ZCARD', KEYS[3])}
if lock.owner then
  lines[2] = 'owns ' .. text(lock.ends and lock.ends - now or -1) .. ' ' .. lock.owner
elseif lock.tag then
  local inside = readers(most, 'WITHSCORES')
  for i = 1, #inside, 2 do
    lines[#lines + 1] = 'reads ' .. text(inside[i + 1] - now) .. ' ' .. inside[i]
  end
end
for _, waiting in ipairs(redis.call('ZRANGE', KEYS[3], 0, most - 1)) do
  lines[#lines + 1] = 'waits 0 ' .. waiting
end
return table.concat(lines, '\n')
