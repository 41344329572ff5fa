-- Replaces the line "include fence.lua" when a script is loaded. Requires
-- KEYS  2 fence

-- The next fencing number, as text: Lua holds 16 digits exactly but its own formatting rounds them. Greater than the last one, and
-- than those from before Redis lost its data.
local function next_fence(life)
  local time = redis.call('TIME')
  local last = tonumber(redis.call('GET', KEYS[2]) or 0) or 0
  local fence = time[1] * 1000000 + time[2]
  if fence <= last then
    fence = last + 1
  end
  fence = string.format('%.0f', fence)
  redis.call('SET', KEYS[2], fence, 'PX', life)
  return fence
end
