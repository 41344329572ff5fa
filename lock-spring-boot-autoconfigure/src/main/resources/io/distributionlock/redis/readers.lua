-- Replaces the line "include readers.lua" when a script is loaded. Requires clock.lua and owner.lua before it. The readers' key is a sorted
-- set: claims by the last ms of their leases, of readers or of claims with a permit. It counts only while the owner key is a mark.

-- The last ms of the claim's lease if it reads now, otherwise nil. That whole ms belongs to the lease; see owner.lua.
local function reads_until(readers, claim, now)
  local ends = tonumber(redis.call('ZSCORE', readers, claim) or 0) or 0
  return ends >= now and ends or nil
end

-- How long the longest lease of a reader lasts, in ms, if the owner key is a mark: that key outlives it by the live window.
local function longest_lease(owner_key, live_window)
  return redis.call('PTTL', owner_key) - live_window
end

-- For a claim that reads already. The expiries come first: when memory is full, Redis refuses a write that may grow unless the
-- script has already written, and a reader must not lose its lease that way.
local function read_on_until(owner_key, readers, claim, ends, now, live_window)
  local left = math.max(longest_lease(owner_key, live_window), ends - now, 1)
  redis.call('PEXPIRE', owner_key, number(left + live_window))
  redis.call('PEXPIRE', readers, number(left))
  redis.call('ZADD', readers, number(ends), claim)
  return left
end
