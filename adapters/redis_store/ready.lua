-- The destinations of one shard that may be sent to now, longest waiting first. Claims nothing.
--
-- KEYS  1 the queue (ZSET destination -> not before, ms)
-- ARGV  1 at most so many
-- Gives { now ms, the next time after now or nil, destination, not before, destination... }.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ready =
  redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
local after = string.format('(%d', now)
local later = redis.call('ZRANGEBYSCORE', KEYS[1], after, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
return { now, later[2] or false, unpack(ready) }
