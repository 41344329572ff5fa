-- Who enters next.
--@include queue

-- Finds out whether a type tag is out of date. Whose lease has ended keeps nobody out, so the quota may leave some for the next run.
local function drop_ended_readers()
  local ends_first = lock.tag and tonumber(redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')[2])
  if ends_first and ends_first >= now then
    return
  end
  if ends_first then
    local ended = redis.call('ZRANGE', KEYS[5], '-inf', '(' .. text(now), 'BYSCORE', 'LIMIT', 0, quota)
    if #ended > 0 then
      redis.call('ZREM', KEYS[5], unpack(ended))
      quota = quota - #ended
    end
  end
  vacant = not ends_first or count_readers() == 0
end

-- Whether a claim may enter beside those who share the lock, if any do. A permit counts them by the claim's own limit.
local function may_enter(claim)
  if vacant then
    return true
  end
  if lock.tag == 'permits' then
    return count_readers() < (permits_of(claim) or 0)
  end
  return is_shared_claim(claim) and not permits_of(claim)
end

-- Admits what may enter now. Returns whether the claim "me", which is not admitted here, may enter too, and if so whether it is queued, and
-- whether others are queued.
local function admit_waiters(me)
  if lock.owner then
    return false
  end
  if not lock.exists then
    -- Fails if the key is another application's, before anybody leaves the queue.
    redis.call('GET', KEYS[1])
  end
  if not vacant then
    drop_ended_readers()
  end
  while true do
    local first, others = first_live()
    if has_more then
      return false
    end
    if not first or first == me then
      return me ~= nil and may_enter(me), first ~= nil, others
    end
    if not may_enter(first) or not within_quota() then
      return false
    end
    leave_queue(first, others)
    enter(first, liveness_timeout, others)
    notify('granted', first)
    if lock.owner then
      return false
    end
  end
end

-- Leaves the owner key as it has to be after a run that may have admitted claims.
local function settle()
  store()
  if vacant and has_more then
    -- Keeps the lock from a plain SET until the queue was looked at.
    put_owner('readers', liveness_timeout)
  elseif vacant and lock.exists then
    redis.call('DEL', KEYS[1])
  end
end
