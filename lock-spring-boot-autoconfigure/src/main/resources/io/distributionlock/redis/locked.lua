-- Whether anybody holds the lock.
--
-- KEYS  1 owner  2 readers
-- Result  1 or 0

local value = redis.call('GET', KEYS[1])
if not value then
  return '0'
end
local time = redis.call('TIME')
local now = math.floor(time[1] * 1000 + time[2] / 1000)
if value == 'readers' or value == 'permits' then
  return redis.call('ZCOUNT', KEYS[2], string.format('%.0f', now), '+inf') > 0 and '1' or '0'
end
-- A guarded owner's lease ends with this ms, others' with the key.
local ends = string.match(value, ' (%d+)$')
return (not ends or tonumber(ends) >= now) and '1' or '0'
