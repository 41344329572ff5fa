-- ARGV 2: "<fence lifetime> <liveness timeout> <queue lifetime> <tombstone lifetime> <channel>\n<lock>", with times in ms, the channel without
-- the instance, and the lock's name, which may contain anything. The lease of a grant is as long as the liveness timeout. Without a channel,
-- the calling process sends the messages.
--@include lock

local liveness_timeout, queue_life, tombstone_life, channel, name =
  string.match(settings, '^%d+ (%d+) (%d+) (%d+) ([^\n]*)\n(.*)$')
liveness_timeout = tonumber(liveness_timeout)
