-- Asks whether anybody holds a lock.
--
-- KEYS  1 owner  2 readers
-- Result  1 if so, otherwise 0

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 1
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZCOUNT', KEYS[2], string.format('%.0f', now), '+inf') > 0 and 1 or 0
