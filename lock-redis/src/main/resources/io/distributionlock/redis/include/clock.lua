-- Redis's clock, and values that are written with a lifetime.
--@include lock

-- As text, because Lua's own formatting rounds large numbers. It holds 16 digits exactly.
local function text(number)
  return string.format('%.0f', number)
end

-- Read once for a whole run: in microseconds, and in ms.
local micros, now

local function read_clock()
  local time = redis.call('TIME')
  micros = time[1] * 1000000 + time[2]
  now = math.floor(micros / 1000)
end

-- Writes a text that MGET has found, or has not. It does not find a value of another type either, which another application wrote: then this
-- fails, with Redis's own error, and overwrites nothing.
--
-- When memory is full, Redis refuses a write that may grow the data, unless the script has already written; it never refuses an expiry or a
-- deletion. So there are three sorts of writes: what is for a new claim may be refused (put); what a holder needs, or a claim that is entitled
-- to hold, sets an expiry first (write, and number.lua); what keeps a queued claim in its place sets that of the queue first (write_for).
local function put(key, exists, value, millis)
  if exists then
    redis.call('SET', key, value, 'PX', text(millis))
  elseif not redis.call('SET', key, value, 'PX', text(millis), 'NX') then
    redis.call('GET', key)
  end
end
