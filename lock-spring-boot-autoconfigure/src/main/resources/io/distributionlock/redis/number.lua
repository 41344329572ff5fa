-- Draws the fencing number of an ownership that began with a plain SET.
--
-- KEYS  1 owner  2 fence  3 readers
-- ARGV  1 claim  2 lifetime of the fence in ms
-- Result  the number, or "gone" if the claim neither owns the lock nor reads

-- include clock.lua
-- include fence.lua
-- include owner.lua
-- include readers.lua

local claim, life = ARGV[1], tonumber(ARGV[2])
local value, fence = unpack(redis.call('MGET', KEYS[1], KEYS[2]))
local micros = server_micros()
local now = millis_of(micros)
if owner_in(value, now) ~= claim and not (value == 'readers' and reads_until(KEYS[3], claim, now)) then
  return 'gone'
end
if is_numbered(fence, claim) then
  -- This command is a repeat.
  keep_key(KEYS[2], life)
  return last_number(fence)
end
if value == 'readers' and fence then
  -- Another reader may need a longer life.
  life = math.max(life, redis.call('PTTL', KEYS[2]))
end
local ran, drawn = pcall(draw, KEYS[2], fence, claim, micros, life)
if not ran then
  -- Fails again if the key is another application's, which must not expire.
  redis.call('GET', KEYS[2])
  -- When memory is full, Redis refuses a write that may grow unless the script has already written, and never an expiry.
  redis.call('PEXPIRE', KEYS[2], number(life))
  drawn = draw(KEYS[2], fence, claim, micros, life)
end
return last_number(drawn)
