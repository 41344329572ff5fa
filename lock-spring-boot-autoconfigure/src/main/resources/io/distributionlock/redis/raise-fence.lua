-- Lifts the last fencing number of a lock that the claim owns. For locks over several servers: each numbers by itself, and the
-- greatest number of a quorum is written back to a quorum before it is told to anybody.
--
-- KEYS  1 owner  2 fence
-- ARGV  1 claim  2 fencing number  3 life of the fence in ms
--       4 seconds for which the server must have been up, left out if any time will do
-- Result   1  the number is at least this one now, and the claim owns the lock
--          0  the claim does not own the lock; nothing was done
--         -1  the server has not been up for so long; nothing was done

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end

if ARGV[4] then
  local uptime = string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)')
  if tonumber(uptime) < tonumber(ARGV[4]) then
    return -1
  end
end

local last = tonumber(redis.call('GET', KEYS[2]) or 0) or 0
if last < tonumber(ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
end
return 1
