-- Who holds the lock from now on.
--@include inside
--@include settings
--@include claims
--@include fence

local changed = false -- whether the owner key has to be written; store() does it
local vacant = false  -- whether this run has found, or made it so, that nobody is inside
local longest         -- how long the longest lease behind the type tag lasts, in ms, once longest_lease() has looked it up

-- Runs a write that may grow the data, for a claim that holds the lock or is entitled to it.
local function write(key, millis, ...)
  local answer = redis.pcall(...)
  if type(answer) == 'table' and answer.err then
    redis.call('PEXPIRE', key, text(millis))
    answer = redis.call(...)
  end
  return answer
end

local function put_owner(value, millis)
  if lock.exists then
    write(KEYS[1], millis, 'SET', KEYS[1], value, 'PX', text(millis))
  else
    put(KEYS[1], false, value, millis)
  end
  lock.exists, changed = true, false
end

local function store()
  if not changed then
    return
  elseif not lock.owner then
    put_owner(lock.tag, longest + liveness_timeout)
  elseif lock.contended then
    put_owner(lock.owner .. ' ' .. text(lock.ends), lock.ends - now + liveness_timeout)
  else
    put_owner(lock.owner, math.max(lock.ends - now, 1))
  end
end

-- Makes the claim the exclusive owner until "last", contended if others wait.
local function own(claim, last, contended)
  lock.owner, lock.ends, lock.contended, lock.tag = claim, last, contended, nil
  changed, vacant = true, false
end

-- The lock is nobody's any more.
local function vacate()
  lock.owner, lock.ends, lock.tag, longest = nil, nil, nil, nil
  changed, vacant = false, true
end

-- Others wait: from now on the key outlives the lease.
local function set_contended()
  if lock.owner and lock.ends and not lock.contended then
    own(lock.owner, lock.ends, true)
  end
end

local function longest_lease()
  if not longest then
    longest = lock.tag and redis.call('PTTL', KEYS[1]) - liveness_timeout or 0
  end
  return longest
end

-- Makes the claim a reader until "last", or prolongs its lease.
local function share(claim, last)
  local left = math.max(longest_lease(), last - now, 1)
  if not lock.tag or vacant or left ~= longest then
    lock.tag = not vacant and lock.tag or permits_of(claim) and 'permits' or 'readers'
    longest = left
    changed, vacant = true, false
  end
  -- First, because this fails if the key is another application's.
  store()
  write(KEYS[5], left, 'ZADD', KEYS[5], text(last), claim)
  redis.call('PEXPIRE', KEYS[5], text(left))
end

-- Draws a number for the claim. For a reader it lives as long as other readers may need.
local function number(claim, lease)
  local shared = (lock.tag or is_shared_claim(claim)) and math.max(longest_lease(), lease) or lease
  return draw(claim, life_for(shared))
end

-- Makes the claim a holder. Returns its fencing number.
local function enter(claim, lease, others)
  local drawn = number(claim, lease)
  if is_shared_claim(claim) then
    share(claim, now + lease)
  else
    own(claim, now + lease, others)
    store()
  end
  return drawn
end
