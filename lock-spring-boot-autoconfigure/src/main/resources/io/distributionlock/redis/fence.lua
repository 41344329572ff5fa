-- Replaces the line "include fence.lua" when a script is loaded. Requires clock.lua before it.
--
-- The fence key holds "<number> <claim>": the last fencing number, and the claim it was drawn for. A claim that owns the lock by a plain
-- SET has none yet, so the number alone would not tell whose it is.

-- As text: Lua holds 16 digits exactly, but its own formatting rounds them.
local function last_number(stored)
  return stored and string.match(stored, '^%d+') or '0'
end

local function is_numbered(stored, claim)
  return stored and string.match(stored, '^%d+ (.*)$') == claim
end

-- Draws a number: greater than the last one, and than those from before Redis lost its data. Returns what the key holds now.
local function draw(key, stored, claim, micros, life)
  local drawn = number(math.max(micros, tonumber(last_number(stored)) + 1)) .. ' ' .. claim
  put(key, stored, drawn, number(life))
  return drawn
end
