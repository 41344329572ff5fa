-- Replaces the line "include busy.lua" when a script is loaded. Requires clock.lua before it, and
-- KEYS  1 owner  2 fence  5 readers

-- Milliseconds until the lock is free if nobody renews; negative if unknown.
local function millis_left(now)
  local left = redis.call('PTTL', KEYS[1])
  if left ~= -2 then
    return left
  end
  local last = tonumber(redis.call('ZREVRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2] or 0) or 0
  return math.max(left, last - now)
end

local function busy(now)
  return 'busy ' .. number(millis_left(now)) .. ' ' .. (redis.call('GET', KEYS[2]) or '0')
end
