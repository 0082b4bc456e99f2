-- Take a letter off its destination's queue. Does nothing when it is not the first any more.
--
-- KEYS  1 the queue (ZSET destination -> not before, ms)    2 the destination's letters (LIST)
--       3 what is known of the destination (HASH: tried id|ms, ref:<room>:<status>)
-- ARGV  1 destination    2 the letter's id    3 the field to remember the ref in, or ''    4 ref
--       5 keep what is known, ms    6 know at most so much
local row = redis.call('LINDEX', KEYS[2], 0)
if not row or cjson.decode(row).id ~= ARGV[2] then return 0 end
redis.call('ZCARD', KEYS[1])
redis.call('HDEL', KEYS[3], 'tried')

redis.call('LPOP', KEYS[2])
if ARGV[3] ~= '' then
  -- A message whose ref is forgotten is sent anew instead of edited.
  if redis.call('HLEN', KEYS[3]) >= tonumber(ARGV[6]) then redis.call('DEL', KEYS[3]) end
  redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
end
if redis.call('LLEN', KEYS[2]) == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
end
return 1
