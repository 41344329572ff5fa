-- The heartbeat of one process, for its claims that wait for a lock. Shows that the process lives, admits whatever may enter, and acquires
-- for the claims that are not queued: they hold the lock, or have lost their places and queue again, in this order.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- KEYS  6.. tombstone of each claim
-- ARGV  3.. each claim and its lease in ms
-- Result  the answer of acquire.lua to each, one per line
--@include acquiring

-- The expiry comes first, because full memory does not refuse it. Without a queue nobody would read the peers.
if redis.call('PEXPIRE', KEYS[3], queue_life) == 1 then
  record_heartbeat(claim)
  -- These claims may have counted as dead, and an uncontended owner may have come since.
  set_contended()
  admit_waiters()
end
local claims = {}
for i = 1, #KEYS - 5 do
  claims[i] = ARGV[2 * i + 1]
end
local tickets, waits, answers = redis.call('ZMSCORE', KEYS[3], unpack(claims)), busy(), {}
for i, one in ipairs(claims) do
  -- A SET that ran late may have made a queued claim the owner.
  if tickets[i] and one ~= lock.owner then
    answers[i] = waits
  else
    answers[i] = found[i + 2] and 'gone' or acquire_for(one, tonumber(ARGV[2 * i + 2]), true)
  end
end
settle()
return with_follow_up(table.concat(answers, '\n'))
