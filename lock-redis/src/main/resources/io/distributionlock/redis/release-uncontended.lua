-- Releases a lock that was acquired by a plain SET and for which nobody waits. Otherwise release.lua has to run.
--
-- KEYS  1 owner
-- ARGV  1 claim
-- Result  1  the claim held the lock
--         0  nothing changed

-- If GET fails, on a value of another application, the claim does not hold the lock; release.lua says so, or fails too.
if redis.pcall('GET', KEYS[1]) == ARGV[1] then
  redis.call('DEL', KEYS[1])
  return '1'
end
return '0'
