-- Who is inside: the owner or, behind a type tag, readers or claims with a permit each.
--@include clock

local lock = {
  exists = found[1] ~= false, -- whether there is an owner key
  owner = nil,                -- the exclusive owner
  ends = nil,                 -- the last ms of its lease; nil if its key has no expiry, because it was edited by hand
  contended = nil,            -- whether its key outlives its lease
  tag = nil,                  -- the type tag in the owner key, even if it is out of date
}

-- A run handles at most so many claims, since it blocks Redis.
local MAX_CLAIMS = 100

-- Whole ms belong to a lease, as with Redis's own expiry: times are truncated to ms.
do
  local value = found[1]
  local owner, ends = string.match(value or '', '^(.*) (%d+)$')
  if value == 'readers' or value == 'permits' then
    read_clock()
    lock.tag = value
  elseif value and not owner then
    -- Before the clock, so that the time between never shortens the lease.
    local left = redis.call('PTTL', KEYS[1])
    read_clock()
    lock.owner, lock.ends, lock.contended = value, left >= 0 and now + left or nil, false
  else
    read_clock()
    if owner and tonumber(ends) >= now then
      lock.owner, lock.ends, lock.contended = owner, tonumber(ends), true
    end
  end
end

-- The last ms of the claim's lease if it reads now, otherwise nil.
local function reads_until(claim)
  local ends = lock.tag and tonumber(redis.call('ZSCORE', KEYS[5], claim) or 0) or 0
  return ends >= now and ends or nil
end

local function readers(limit, ...)
  return redis.call('ZRANGE', KEYS[5], text(now), '+inf', 'BYSCORE', 'LIMIT', 0, limit, ...)
end

local function count_readers()
  return redis.call('ZCOUNT', KEYS[5], text(now), '+inf')
end
