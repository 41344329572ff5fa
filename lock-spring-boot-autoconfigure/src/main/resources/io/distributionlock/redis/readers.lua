-- Replaces the line "include readers.lua" when a script is loaded. Requires clock.lua before it. The parameter "readers" is the key of
-- a sorted set: claims by the last ms of their leases.

-- The last ms of the claim's lease if it reads now, otherwise nil. That whole ms belongs to the lease, as with Redis's own keys: times
-- are truncated to ms, so otherwise the reader, which counts from before sending, could outlast its lease.
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

-- For a claim that reads already. The expiry comes first: when memory is full, Redis refuses a write that may grow unless the
-- script has already written, and a reader must not lose its lease that way.
local function read_on_until(readers, claim, ends, now)
  keep_key(readers, math.max(ends - now, 1))
  redis.call('ZADD', readers, number(ends), claim)
end
