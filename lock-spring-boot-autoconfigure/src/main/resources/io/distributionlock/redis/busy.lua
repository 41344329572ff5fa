-- Replaces the line "include busy.lua" when a script is loaded. Requires state.lua before it, and
-- KEYS  1 owner  5 readers

-- Milliseconds until the lock is free if nobody renews; negative if unknown.
local function millis_left()
  if owner then
    return ends and ends - now or redis.call('PTTL', KEYS[1])
  end
  local last = marked and tonumber(redis.call('ZREVRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2])
  return last and math.max(last - now, 0) or 0
end

local function busy()
  return 'busy ' .. number(millis_left()) .. ' ' .. last_number(fence)
end
