-- Replaces the line "include clock.lua" when a script is loaded. Requires nothing before it.

local function server_millis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- As text, because Lua's own formatting rounds large numbers.
local function number(value)
  return string.format('%.0f', value)
end

-- Never shortens: a command sent before an extension may arrive after it. Written even if unchanged, so that replicas have something
-- to acknowledge.
local function keep_key(key, millis)
  redis.call('PEXPIRE', key, number(math.max(redis.call('PTTL', key), millis)))
end
