-- Fencing numbers. The fence key names the claim that the last number was drawn for: one that owns the lock by a plain SET has none yet.
--@include clock

local fence = found[2]

local function last_number()
  return fence and string.match(fence, '^%d+') or '0'
end

local function is_numbered(claim)
  return fence and string.match(fence, '^%d+ (.*)$') == claim
end

-- How long a number is remembered, at least: it outlives the lease by half of its usual life.
local fence_life = tonumber(string.match(settings, '^%d+'))
local function life_for(lease)
  return math.max(fence_life, lease + fence_life / 2)
end

-- Draws a number: greater than the last one, and than those from before Redis lost its data.
local function draw(claim, life)
  local drawn = text(math.max(micros, tonumber(last_number()) + 1)) .. ' ' .. claim
  put(KEYS[2], fence, drawn, life)
  fence = drawn
  return last_number()
end
