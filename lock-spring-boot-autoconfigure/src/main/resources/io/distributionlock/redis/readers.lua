-- Put in place of the line "include readers.lua" of a script when it is loaded; needs clock.lua before it. The key of the readers is
-- handed over: a sorted set of claims by the last ms of their leases.

-- The last ms of a reader's lease, if the claim is one that is inside. All of that ms belongs to the lease, as with Redis's own
-- keys: times are cut off to the ms, and the reader counts from before its command was sent, so it would outlast the lease otherwise.
local function reads_until(readers, claim, now)
  local ends = tonumber(redis.call('ZSCORE', readers, claim) or 0) or 0
  return ends >= now and ends or nil
end

local function somebody_reads(readers, now)
  return redis.call('ZCOUNT', readers, number(now), '+inf') > 0
end

local function read_until(readers, claim, ends, now)
  redis.call('ZADD', readers, number(ends), claim)
  keep_key(readers, math.max(ends - now, 1))
end

-- For one that is inside already. What expires goes first: a Redis whose memory is full refuses what may grow, unless the script
-- has written before, and a reader must not lose its lease by that.
local function read_on_until(readers, claim, ends, now)
  keep_key(readers, math.max(ends - now, 1))
  redis.call('ZADD', readers, number(ends), claim)
end
