-- Raises the last fencing number of a lock that the claim owns. In a quorum each node issues its own numbers; the greatest is
-- written back to a quorum before the client uses it.
--
-- KEYS  1 owner  2 fence
-- ARGV  1 claim  2 fencing number  3 lifetime of the fence in ms
--       4 minimum uptime of the server in seconds; absent for none
-- Result   1  the claim owns the lock, and its number is now at least this one
--          0  the claim does not own the lock; nothing changed
--         -1  the server has not been up long enough; nothing changed

-- include clock.lua
-- include fence.lua
-- include owner.lua

local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
if owner_in(value, server_millis()) ~= ARGV[1] then
  return 0
end

if ARGV[4] then
  local uptime = string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)')
  if tonumber(uptime) < tonumber(ARGV[4]) then
    return -1
  end
end

if tonumber(last_number(fence)) < tonumber(ARGV[2]) then
  put(KEYS[2], fence, ARGV[2] .. ' ' .. ARGV[1], ARGV[3])
end
return 1
