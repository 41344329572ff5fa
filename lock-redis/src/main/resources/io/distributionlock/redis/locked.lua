-- Whether anybody is inside.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- Result  1 or 0
--@include inside

if not lock.exists then
  -- Fails if the key is another application's.
  redis.call('GET', KEYS[1])
end
return (lock.owner or lock.tag and count_readers() > 0) and '1' or '0'
