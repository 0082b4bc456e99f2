-- All that one event changes, or nothing.
--
-- KEYS  1 the record (HASH: v revision, d blob)       2 the event's mark (STRING revision:nonce)
--       3 the log (LIST)                              4 timers (ZSET record -> wake, ms)
--       5 the queue (ZSET destination -> not before, ms)
--       6... for each letter: its destination's letters (LIST)
-- ARGV  1 revision expected    2 blob    3 record    4 wake ms, or '' for never    5 keep record, ms
--       6 keep mark, ms, or 0 for no mark    7 nonce    8 log entry, or ''    9 keep so many entries
--       10, 11... for each letter: its destination, its row
-- Gives 'committed', 'conflict' or 'duplicate'.
local FIRST_KEY, FIRST_ARG = 6, 10
local marks = tonumber(ARGV[6]) > 0

local mark = marks and redis.call('GET', KEYS[2])
if mark then
  local ours = ARGV[7] ~= '' and string.match(mark, ':(.*)$') == ARGV[7]
  return ours and 'committed' or 'duplicate'
end
local revision = tonumber(redis.call('HGET', KEYS[1], 'v') or 0)
if revision ~= tonumber(ARGV[1]) then return 'conflict' end

-- A script is not rolled back: a key of the wrong type must fail before the first write.
redis.call('LLEN', KEYS[3])
redis.call('ZCARD', KEYS[4])
redis.call('ZCARD', KEYS[5])
for key = FIRST_KEY, #KEYS do redis.call('LLEN', KEYS[key]) end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('HSET', KEYS[1], 'v', revision + 1, 'd', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
if marks then
  redis.call('SET', KEYS[2], string.format('%d:%s', revision + 1, ARGV[7]), 'PX', ARGV[6])
end
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[4], ARGV[3])
else
  redis.call('ZADD', KEYS[4], ARGV[4], ARGV[3])
end
if ARGV[8] ~= '' then
  redis.call('RPUSH', KEYS[3], ARGV[8])
  redis.call('LTRIM', KEYS[3], '-' .. ARGV[9], -1)
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
end
for key = FIRST_KEY, #KEYS do
  local at = FIRST_ARG + 2 * (key - FIRST_KEY)
  redis.call('RPUSH', KEYS[key], ARGV[at + 1])
  -- NX: a lease or a wait that runs for this destination goes on.
  redis.call('ZADD', KEYS[5], 'NX', now, ARGV[at])
end
return 'committed'
