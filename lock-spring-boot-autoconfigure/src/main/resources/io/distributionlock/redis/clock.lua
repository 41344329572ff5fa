-- Replaces the line "include clock.lua" when a script is loaded. Requires nothing before it.

local function server_micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function millis_of(micros)
  return math.floor(micros / 1000)
end

local function server_millis()
  return millis_of(server_micros())
end

-- As text, because Lua's own formatting rounds large numbers.
local function number(value)
  return string.format('%.0f', value)
end

-- Writes a text that MGET has found, or has not. It does not find a value of another type either, which another application wrote: then this
-- fails, with Redis's own error, and overwrites nothing.
local function put(key, found, text, millis)
  if found then
    redis.call('SET', key, text, 'PX', millis)
  elseif not redis.call('SET', key, text, 'PX', millis, 'NX') then
    redis.call('GET', key)
  end
end

-- Never shortens: a command sent before an extension may arrive after it. Written even if unchanged, so that replicas have something
-- to acknowledge.
local function keep_key(key, millis)
  redis.call('PEXPIRE', key, number(math.max(redis.call('PTTL', key), millis)))
end
