-- Who is inside, in the order in which their leases end, a hundred in a run. A claim that is inside from the first run to the last is named in
-- one of them.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- ARGV  3 where the last run has ended; absent at first
-- Result  where this run has ended, empty if nobody follows; then the claims, one per line
--@include inside

if not lock.exists then
  -- Fails if the key is another application's.
  redis.call('GET', KEYS[1])
end
if not lock.tag then
  return '\n' .. (lock.owner or '')
end

local function count_before(ends)
  return redis.call('ZCOUNT', KEYS[5], '-inf', '(' .. ends)
end

-- Among all whose leases end in the same ms, the place of the last one.
local ends, place, last = string.match(ARGV[3] or '', '^(%S+) (%d+) (.*)$')
local start = count_before(ends or text(now))
if ends then
  local there = start + place - 1
  -- If it has moved, others may have moved up: then all of that ms are named again.
  if redis.call('ZRANGE', KEYS[5], there, there)[1] == last then
    start = there + 1
  end
end
local page, claims = redis.call('ZRANGE', KEYS[5], start, start + MAX_CLAIMS - 1, 'WITHSCORES'), {}
for i = 1, #page, 2 do
  claims[#claims + 1] = page[i]
end
local stopped = ''
if #claims == MAX_CLAIMS then
  ends = page[#page]
  stopped = ends .. ' ' .. text(start + #claims - count_before(ends)) .. ' ' .. claims[#claims]
end
return stopped .. '\n' .. table.concat(claims, '\n')
