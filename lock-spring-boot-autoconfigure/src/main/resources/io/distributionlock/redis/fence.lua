-- Put in place of the line "include fence.lua" of a script when it is loaded.
-- KEYS  2 fence

-- Numbers the next tenure, as a text: a 16-digit number, which Lua holds exactly but would not write exactly by itself.
-- Greater than the last one, and greater than those of before Redis lost its data.
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
