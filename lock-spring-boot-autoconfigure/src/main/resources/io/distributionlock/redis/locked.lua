-- Whether anybody holds the lock.
--
-- KEYS  1 owner  2 readers
-- Result  1 or 0

-- include clock.lua

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 1
end
return redis.call('ZCOUNT', KEYS[2], number(server_millis()), '+inf') > 0 and 1 or 0
