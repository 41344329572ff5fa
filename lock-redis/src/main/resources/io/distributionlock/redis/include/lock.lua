-- The lock as this run has found it. docs/protocol.md says what each key holds.
--
-- KEYS  1 owner  2 fence  3 queue  4 peers  5 readers  6.. tombstones, if the script has some
-- ARGV  1 the name of the script, for readers of MONITOR and SLOWLOG
--       2 settings; see settings.lua
--       3 in most scripts, the claim

local settings, claim = ARGV[2], ARGV[3]
local found = redis.call('MGET', KEYS[1], KEYS[2], unpack(KEYS, 6))
