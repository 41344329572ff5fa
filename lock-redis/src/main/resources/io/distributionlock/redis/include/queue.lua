-- The queue.
--@include hold
--@include messages

local quota = MAX_CLAIMS      -- how many more claims this run may admit, drop or notify
local queue_is_empty = false  -- whether this run knows that no claim is queued

local function within_quota()
  has_more = has_more or quota == 0
  quota = math.max(quota - 1, 0)
  return not has_more
end

-- Whether the process of a queued claim lives. The ticket counts as a heartbeat.
local function is_live(claim, ticket)
  local joined = math.floor(ticket / 1000)
  -- In either direction: the clock may step back, and then what an earlier heartbeat left must not make a new claim count as dead.
  if math.abs(now - joined) < liveness_timeout then
    return true
  end
  local live_until = tonumber(redis.call('HGET', KEYS[4], instance_of(claim)) or joined + liveness_timeout)
  return live_until and live_until > now
end

-- Without a queue the peers mean nothing. Redis deletes an empty queue itself. UNLINK, because there may be many peers.
local function leave_queue(claim, others)
  if others then
    redis.call('ZREM', KEYS[3], claim)
  else
    redis.call('UNLINK', KEYS[3], KEYS[4])
    queue_is_empty = true
  end
end

-- A claim has left the queue. If it was the last, the owner is uncontended again; a minimum hold stays contended.
local function clear_contended_without_queue()
  if redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('UNLINK', KEYS[4])
    if lock.owner and lock.contended and not is_min_hold(lock.owner) then
      own(lock.owner, lock.ends, false)
    end
  end
end

-- The first queued claim whose process lives, and whether others are queued behind it; drops claims of dead processes ahead of it.
local function first_live()
  while not queue_is_empty do
    local first, ticket, second = unpack(redis.call('ZRANGE', KEYS[3], 0, 1, 'WITHSCORES'))
    if not first then
      queue_is_empty = true
    elseif is_live(first, ticket) then
      return first, second ~= nil
    elseif not within_quota() then
      return nil, true
    else
      leave_queue(first, second)
      if second then
        redis.call('HDEL', KEYS[4], instance_of(first))
      end
    end
  end
  return nil, false
end
