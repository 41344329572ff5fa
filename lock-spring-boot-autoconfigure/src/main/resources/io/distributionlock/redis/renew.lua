-- Extends the leases of exclusive claims, or only checks that they still hold their locks. Each claim has a name of its own.
--
-- KEYS  the owner of each claim, then the fence of each claim that has a number, in the order of the claims
-- ARGV  1 least lifetime of a fence in ms  2 live window in ms
--       then for each claim: its id; its lease in ms from now, 0 only to check; "numbered" if it has a number, otherwise ""
-- Result  a word for each claim: "held"; "wanted", held while other claims wait; "reads", so renew-reader.lua is to be asked; "gone"

-- include clock.lua
-- include owner.lua

local life, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local count = (#ARGV - 2) / 3
local owners = redis.call('MGET', unpack(KEYS, 1, count))
local fences = count

-- Both first write the expiry, which Redis allows even when its memory is full.
local function extend_plain(key, lease)
  local left = math.max(redis.call('PTTL', key), lease)
  redis.call('PEXPIRE', key, number(left))
  return left
end

local function extend_guarded(key, claim, ends, lease, now)
  ends = math.max(ends, now + lease)
  redis.call('PEXPIRE', key, number(ends - now + window))
  write_guard(key, claim, ends, now, window)
  return ends - now
end

local words = {}
local now
for i = 1, count do
  local claim, lease = ARGV[3 * i], tonumber(ARGV[3 * i + 1])
  local fence
  if ARGV[3 * i + 2] ~= '' then
    fences = fences + 1
    fence = KEYS[fences]
  end
  local left
  local value = owners[i]
  if value == claim then
    words[i] = 'held'
    left = lease > 0 and extend_plain(KEYS[i], lease)
  elseif value == 'readers' then
    words[i] = 'reads'
  else
    -- Most batches get along without the time.
    now = now or server_millis()
    local owner, ends = owner_in(value, now)
    words[i] = owner == claim and 'wanted' or 'gone'
    left = owner == claim and lease > 0 and extend_guarded(KEYS[i], claim, ends, lease, now)
  end
  if left and fence then
    -- A number outlives its lease by half of that life at least.
    redis.call('PEXPIRE', fence, number(math.max(life, left + life / 2)))
  end
end
return table.concat(words, ' ')
