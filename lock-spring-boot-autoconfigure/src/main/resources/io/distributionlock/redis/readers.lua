-- Put in place of the line "include readers.lua" of a script when it is loaded; needs clock.lua before it. The key of the readers is
-- handed over: a sorted set of claims by the last ms of their leases.

-- The last ms of a reader's lease, if the claim is one that is inside. All of that ms belongs to the lease, as with Redis's own
-- keys: times are cut off to the ms, and the reader counts from before its command was sent, so it would outlast the lease otherwise.
local function reads_until(readers, claim, now)
  local ends = tonumber(redis.call('ZSCORE', readers, claim) or 0) or 0
  return ends >= now and ends or nil
end

local function read_until(readers, claim, ends, now)
  redis.call('ZADD', readers, number(ends), claim)
  keep_key(readers, math.max(ends - now, 1))
end
