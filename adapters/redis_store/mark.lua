-- Note that a letter is about to go out: once it may have, only its fate says what to do.
--
-- KEYS  1 the destination's letters (LIST)    2 what is known of it (HASH: tried id|ms)
-- ARGV  1 the letter's id    2 tried ms as it was when claimed, or ''    3 keep the mark, ms
-- Gives 1, or 0 when the letter is not the first any more or somebody else has marked it since.
local row = redis.call('LINDEX', KEYS[1], 0)
if not row or cjson.decode(row).id ~= ARGV[1] then return 0 end
local tried_id, tried_ms = string.match(redis.call('HGET', KEYS[2], 'tried') or '', '^(.*)|(%d+)$')
local known = tried_id == ARGV[1] and tried_ms or ''
if known ~= ARGV[2] then return 0 end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], 'tried', string.format('%s|%d', ARGV[1], now))
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1
