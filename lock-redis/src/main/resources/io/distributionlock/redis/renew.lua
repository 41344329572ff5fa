-- Extends the leases of exclusive claims, or only checks that they still hold their locks. Each claim has a name of its own.
--
-- KEYS  the owner of each claim, then the fence of each claim that has a number, in the order of the claims
-- ARGV  1 least lifetime of a fence in ms  2 liveness timeout in ms
--       then for each claim: its id; its lease in ms from now, 0 only to check; "numbered" if it has a number, otherwise ""
-- Result  a word for each claim: "held"; "wanted", held while other claims wait; "gone"
--
-- docs/protocol.md says what an owner key holds. It is extended by an expiry first, which Redis allows even when its memory is full.

local life, liveness_timeout = tonumber(ARGV[1]), tonumber(ARGV[2])
local count = (#ARGV - 2) / 3
local owners = redis.call('MGET', unpack(KEYS, 1, count))
-- KEYS are counted twice: the owners by the number of the claim, and behind them the fences by this, since not every claim has one.
local fences = count

-- As text, because Lua's own formatting rounds large numbers.
local function text(number)
  return string.format('%.0f', number)
end

local now
-- Most batches get along without the time.
local function server_millis()
  if not now then
    local time = redis.call('TIME')
    now = math.floor(time[1] * 1000 + time[2] / 1000)
  end
  return now
end

local words = {}
for i = 1, count do
  local key, value, claim, lease = KEYS[i], owners[i], ARGV[3 * i], tonumber(ARGV[3 * i + 1])
  local fence
  if ARGV[3 * i + 2] ~= '' then
    fences = fences + 1
    fence = KEYS[fences]
  end
  local left
  if value == claim then
    words[i] = 'held'
    if lease > 0 then
      left = math.max(redis.call('PTTL', key), lease)
      redis.call('PEXPIRE', key, text(left))
    end
  else
    local owner, ends = string.match(value or '', '^(.*) (%d+)$')
    if owner == claim and tonumber(ends) >= server_millis() then
      words[i] = 'wanted'
      if lease > 0 then
        left = math.max(ends - now, lease)
        redis.call('PEXPIRE', key, text(left + liveness_timeout))
        redis.call('SET', key, claim .. ' ' .. text(now + left), 'PX', text(left + liveness_timeout))
      end
    else
      words[i] = 'gone'
    end
  end
  if left and fence then
    -- A number outlives its lease by half of that life at least.
    redis.call('PEXPIRE', fence, text(math.max(life, left + life / 2)))
  end
end
return table.concat(words, ' ')
