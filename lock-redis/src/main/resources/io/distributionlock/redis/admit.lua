-- Admits the claims that an earlier run left because it had reached its quota.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- Result  nothing
--@include admission

admit_waiters()
settle()
return with_follow_up('')
