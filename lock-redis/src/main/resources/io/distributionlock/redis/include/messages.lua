-- Messages, and what follows the answer.
--@include settings
--@include claims

local has_more = false -- whether claims remain that this run may not admit any more
local outbox = {}

-- Tells the process of a claim to ask. A minimum hold has no process.
local function notify(word, claim)
  if is_min_hold(claim) then
    return
  end
  if channel ~= '' then
    local sent = redis.pcall('PUBLISH', channel .. instance_of(claim), word .. '\n' .. claim .. '\n' .. name)
    if type(sent) ~= 'table' then
      return
    end
  end
  outbox[#outbox + 1] = word .. ' ' .. claim
end

-- What the calling process has to do afterwards follows the answer, each thing on a line of its own: the word "has-more" if other claims
-- remain to be admitted; then, after the word "outbox", the messages to send, as "<word> <claim>": all if there is no channel, otherwise
-- those that Redis refuses to publish.
local function with_follow_up(answer)
  if has_more then
    answer = answer .. '\nhas-more'
  end
  if #outbox > 0 then
    answer = answer .. '\noutbox\n' .. table.concat(outbox, '\n')
  end
  return answer
end
