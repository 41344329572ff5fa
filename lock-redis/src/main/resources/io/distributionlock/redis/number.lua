-- Draws the fencing number of an ownership that began with a plain SET.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- ARGV  3 claim  4 lease in ms, which the number outlives
-- Result  the number, or "gone" if the claim does not own the lock
--@include fence

read_clock()
local owner, ends = string.match(found[1] or '', '^(.*) (%d+)$')
if found[1] ~= claim and not (owner == claim and tonumber(ends) >= now) then
  return 'gone'
end
local life = life_for(ARGV[4])
if is_numbered(claim) then
  -- This command is a repeat.
  redis.call('PEXPIRE', KEYS[2], text(math.max(life, redis.call('PTTL', KEYS[2]))))
  return last_number()
end
local drew, drawn = pcall(draw, claim, life)
if not drew then
  -- Fails again if the key is another application's, which must not expire.
  redis.call('GET', KEYS[2])
  redis.call('PEXPIRE', KEYS[2], text(life))
  drawn = draw(claim, life)
end
return drawn
