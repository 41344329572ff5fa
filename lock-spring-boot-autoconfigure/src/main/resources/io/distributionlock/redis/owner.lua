-- Replaces the line "include owner.lua" when a script is loaded. Requires clock.lua before it.
--
-- The owner key holds
--   <claim>             plain: the exclusive owner, while nobody is known to wait. The key's expiry is the lease.
--   <claim> <end>       guarded: the exclusive owner, while others wait. The lease ends with this ms of Redis's clock. The key outlives it
--                       by the live window, so that a plain SET NX fails on it and cannot overtake the queue.
--   kept:<claim> <end>  guarded, and nobody's, for a minimum hold time
--   readers             a mark: the readers' set tells who is inside
--   permits             likewise; the set holds the claims that have a permit each
-- A guard past its end, and a mark without a valid lease in the set, mean that the lock is free and that the queue comes next. Without the
-- key nobody is inside, and nobody whose process lives waits.

local function is_mark(value)
  return value == 'readers' or value == 'permits'
end

-- The exclusive owner in a value of the key, and the last ms of its lease if the value is guarded. Nothing if there is no owner or its
-- lease is over. That whole ms belongs to the lease, as with Redis's own expiry: times are truncated to ms.
local function owner_in(value, now)
  if not value or is_mark(value) then
    return nil
  end
  local claim, ends = string.match(value, '^(.*) (%d+)$')
  if not claim then
    return value
  end
  ends = tonumber(ends)
  if ends >= now then
    return claim, ends
  end
end

-- How many ms the lease of a plain owner lasts; -1 for a key without an expiry, which was edited by hand; nothing for other values.
-- Redis's clock is read afterwards, so that the time between never shortens the lease.
local function plain_left(key, value)
  if value and not is_mark(value) and not string.find(value, ' %d+$') then
    return redis.call('PTTL', key)
  end
end

local function write_guard(key, claim, ends, now, live_window)
  redis.call('SET', key, claim .. ' ' .. number(ends), 'PX', number(ends - now + live_window))
end
