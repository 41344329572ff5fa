-- Asks whether anybody holds a lock.
--
-- KEYS  1 owner
-- Result  1 if so, otherwise 0

return redis.call('EXISTS', KEYS[1])
