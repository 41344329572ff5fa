-- Raises the last fencing number of a lock that the claim owns, on a node of a quorum.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- ARGV  3 claim  4 lease in ms, which the number outlives  5 fencing number  6 minimum uptime of the server in seconds; absent for none
-- Result   1  the claim owns the lock, and its number is now at least this one
--          0  the claim does not own the lock; nothing changed
--         -1  the server has not been up long enough; nothing changed
--@include inside
--@include fence

if lock.owner ~= claim then
  return '0'
end
if ARGV[6] then
  local uptime = string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)')
  if tonumber(uptime) < tonumber(ARGV[6]) then
    return '-1'
  end
end
if tonumber(last_number()) < tonumber(ARGV[5]) then
  put(KEYS[2], fence, ARGV[5] .. ' ' .. claim, life_for(ARGV[4]))
end
return '1'
