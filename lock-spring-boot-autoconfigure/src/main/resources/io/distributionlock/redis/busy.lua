-- Put in place of the line "include busy.lua" of a script when it is loaded; needs clock.lua before it, and
-- KEYS  1 owner  2 fence  5 readers

-- In how many ms nobody will be inside any more, if nobody renews; negative if that is not known.
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
