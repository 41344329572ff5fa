-- What a claim's id says, as the terms in docs/protocol.md define it. An instance may itself contain colons.

local function instance_of(claim)
  return string.match(claim, '^(.*):[^:]*$') or claim
end

-- To read, or for a permit.
local function is_shared_claim(claim)
  return string.find(claim, ':[rp][%d-]+$') ~= nil
end

-- How many permits there are for the claim; nothing if it asks for a lock.
local function permits_of(claim)
  return tonumber(string.match(claim, ':p(%d+)%-%d+$'))
end

-- No claim has such a name, so nobody renews or releases it.
local MIN_HOLD = 'min-hold:'

-- Whether nobody owns or reads: a minimum hold goes on after the release.
local function is_min_hold(claim)
  return string.sub(claim, 1, #MIN_HOLD) == MIN_HOLD
end
