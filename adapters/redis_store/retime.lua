-- Put the index of timers right for a record, if the record has not changed since it was read.
--
-- KEYS  1 the record    2 timers (ZSET record -> wake, ms)
-- ARGV  1 the revision read, 0 for no record    2 wake ms, or '' for never    3 record
if tonumber(redis.call('HGET', KEYS[1], 'v') or 0) ~= tonumber(ARGV[1]) then return 0 end
if ARGV[2] == '' then
  redis.call('ZREM', KEYS[2], ARGV[3])
else
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
end
return 1
