-- Put a letter back that did not go out. Does nothing when it is not the first any more.
--
-- KEYS  1 the queue (ZSET destination -> not before, ms)    2 the destination's letters (LIST)
--       3 what is known of the destination (HASH: tried id|ms)
-- ARGV  1 destination    2 the letter's id    3 not before so many ms from now
local row = redis.call('LINDEX', KEYS[2], 0)
if not row or cjson.decode(row).id ~= ARGV[2] then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HDEL', KEYS[3], 'tried')
return 1
