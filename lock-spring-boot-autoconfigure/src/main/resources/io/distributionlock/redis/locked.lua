-- Whether anybody holds the lock.
--
-- KEYS  1 owner  2 readers
-- Result  1 or 0

-- include clock.lua
-- include owner.lua

local value = redis.call('GET', KEYS[1])
if not value then
  return 0
end
local now = server_millis()
if is_mark(value) then
  return redis.call('ZCOUNT', KEYS[2], number(now), '+inf') > 0 and 1 or 0
end
return owner_in(value, now) and 1 or 0
