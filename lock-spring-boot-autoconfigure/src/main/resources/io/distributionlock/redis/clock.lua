-- Put in place of the line "include clock.lua" of a script when it is loaded. Needs nothing before it.

local function server_millis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- As a text: Lua would not write a large number exactly by itself.
local function number(value)
  return string.format('%.0f', value)
end

-- Never shorter: a command that was sent before an extension may arrive after it. Written even if it stays the same, so that
-- replicas have something to acknowledge.
local function keep_key(key, millis)
  redis.call('PEXPIRE', key, number(math.max(redis.call('PTTL', key), millis)))
end
