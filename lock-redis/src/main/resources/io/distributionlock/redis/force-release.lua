-- Takes the lock from these claims, notifies them, and admits the next. For operations.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- ARGV  3.. the claims, at most a hundred
-- Result  nothing
--@include admission

for i = 3, #ARGV do
  local holder = ARGV[i]
  local owns, reads = lock.owner == holder, reads_until(holder)
  if owns then
    vacate()
  elseif reads then
    redis.call('ZREM', KEYS[5], holder)
  end
  if owns or reads then
    quota = quota - 1
    notify('revoked', holder)
  end
end
if lock.tag and count_readers() == 0 then
  vacate()
end
admit_waiters()
settle()
return with_follow_up('')
