-- Prolongs a lease, or only asks whether the claim still owns the lock.
--
-- KEYS  1 owner  2 fence  3 queue
-- ARGV  1 claim  2 lease in ms from now, "0" only to ask  3 life of the fence in ms
-- Result  how many claims stand in the queue, if the claim owns the lock; otherwise -1

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return -1
end

-- Never shorter: a renewal that was sent before an extension may arrive after it.
if ARGV[2] ~= '0' then
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
  if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[3]) then
    redis.call('PEXPIRE', KEYS[2], ARGV[3])
  end
end
return redis.call('ZCARD', KEYS[3])
