-- Acquires the lock, or tries again. May run after a plain SET of the same claim.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- KEYS  6 tombstone of the claim
-- ARGV  3 claim  4 lease in ms  5 "wait" to join the queue; absent otherwise
-- Result  "ok <fence> <others>"                 the claim holds the lock; 1 if others are queued, otherwise 0
--         "still <fence> <others>"              the claim already reads; the number is new
--         "busy <ms until the lock is free> <last fence>"
--         "mixed <claim>"                       the name is a lock and has permits: this claim holds the other
--         "gone"                                the claim was abandoned
--@include fence
--@include claims

if found[3] then
  return 'gone'
end
-- Fast path: a free lock, for neither a reader nor a permit. Without the owner key nobody who lives waits.
if not found[1] and not is_shared_claim(claim) then
  read_clock()
  local drawn = draw(claim, life_for(ARGV[4]))
  put(KEYS[1], false, claim, ARGV[4])
  return 'ok ' .. drawn .. ' 0'
end
--@include acquiring

local answer = acquire_for(claim, tonumber(ARGV[4]), ARGV[5] ~= nil)
settle()
return with_follow_up(answer)
