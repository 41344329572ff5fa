-- Replaces the line "include busy.lua" when a script is loaded. Requires handover.lua before it, and a local "left": what
-- plain_left() returned before the clock was read.

-- The last ms of a plain owner's lease; nothing for a key without an expiry.
local function plain_end()
  return own_lease_end or left and left >= 0 and now + left or nil
end

-- Others wait for a plain owner: from now on the key outlives the lease.
local function guard()
  local last = owner and not ends and plain_end()
  if last then
    own_until(owner, last, true)
  end
end

-- Milliseconds until the lock is free if nobody renews; negative if unknown.
local function millis_left()
  if owner then
    local last = ends or plain_end()
    return last and last - now or -1
  end
  local last
  if mark == 'permits' then
    -- The first lease that ends lets somebody in.
    last = tonumber(redis.call('ZRANGE', KEYS[5], number(now), '+inf', 'BYSCORE', 'LIMIT', 0, 1, 'WITHSCORES')[2])
  else
    last = mark and tonumber(redis.call('ZREVRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2])
  end
  return last and math.max(last - now, 0) or 0
end

local function busy()
  return 'busy ' .. number(millis_left()) .. ' ' .. last_number(fence)
end
