-- Asks the process of the owner, or those of the hundred readers or permits whose leases end first, whether they know of their claims. A
-- process that does not releases the claim.
--
-- KEYS 1 to 5 and ARGV 1 and 2 are those of include/lock.lua.
-- Result  nothing
--@include inside
--@include messages

for _, holder in ipairs(lock.owner and {lock.owner} or lock.tag and readers(MAX_CLAIMS) or {}) do
  notify('probe', holder)
end
return with_follow_up('')
