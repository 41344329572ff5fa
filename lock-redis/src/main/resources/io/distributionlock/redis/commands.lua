-- Tries every command of the other scripts once, for the check at start-up. Leaves nothing behind.
--
-- KEYS  1 a key that does not exist
-- ARGV  1 a channel that nobody listens to
--       2 'uptime' if the age of the server is asked for
-- Result  a line for each command that is refused: the command, a space, and the error

local refused = {}

-- Before Redis 8, the error does not name the command.
local function try(command, answer)
  if type(answer) == 'table' and answer.err then
    -- Before Redis 7, an error may contain line breaks.
    refused[#refused + 1] = command .. ' ' .. string.gsub(answer.err, '%s+', ' ')
    return false
  end
  return true
end

try('TIME', redis.pcall('TIME'))
try('GET', redis.pcall('GET', KEYS[1]))
try('MGET', redis.pcall('MGET', KEYS[1]))
try('EXISTS', redis.pcall('EXISTS', KEYS[1]))
try('PTTL', redis.pcall('PTTL', KEYS[1]))
try('HGET', redis.pcall('HGET', KEYS[1], 'field'))
try('ZCARD', redis.pcall('ZCARD', KEYS[1]))
try('ZCOUNT', redis.pcall('ZCOUNT', KEYS[1], 0, '+inf'))
try('ZRANGE', redis.pcall('ZRANGE', KEYS[1], 0, '+inf', 'BYSCORE', 'LIMIT', 0, 1))
try('ZREVRANGE', redis.pcall('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES'))
try('ZSCORE', redis.pcall('ZSCORE', KEYS[1], 'member'))
try('ZMSCORE', redis.pcall('ZMSCORE', KEYS[1], 'member'))

-- These change nothing where there is no key.
try('SET', redis.pcall('SET', KEYS[1], 'value', 'XX', 'PX', 1000))
try('PEXPIRE', redis.pcall('PEXPIRE', KEYS[1], 1000))
try('ZADD', redis.pcall('ZADD', KEYS[1], 'XX', 0, 'member'))
try('ZREM', redis.pcall('ZREM', KEYS[1], 'member'))
try('UNLINK', redis.pcall('UNLINK', KEYS[1]))
try('HDEL', redis.pcall('HDEL', KEYS[1], 'field'))
-- HSET would, so its key has to be removed.
if try('DEL', redis.pcall('DEL', KEYS[1])) then
  try('HSET', redis.pcall('HSET', KEYS[1], 'field', 'value'))
  redis.pcall('DEL', KEYS[1])
end

if ARGV[2] == 'uptime' then
  try('INFO', redis.pcall('INFO', 'server'))
end
try('PUBLISH', redis.pcall('PUBLISH', ARGV[1], ''))
return table.concat(refused, '\n')
