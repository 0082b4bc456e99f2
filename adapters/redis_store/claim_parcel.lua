-- Claim the first letter of a destination, unless somebody has: it is claimable again after the
-- lease.
--
-- KEYS  1 the queue (ZSET destination -> not before, ms)    2 the destination's letters (LIST)
--       3 what is known of the destination (HASH: tried id|ms, ref:<room>:<status>)
-- ARGV  1 destination    2 lease, ms    3 look at so many later letters for one that replaces it
-- Gives nil, or { row, tried ms or nil, ref or nil, 1 if a later letter replaces it else 0 }.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local not_before = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not not_before or tonumber(not_before) > now then return false end
local row = redis.call('LINDEX', KEYS[2], 0)
if not row then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return false
end

local head = cjson.decode(row)
local letter = head.letter
local tried, ref, replaced = redis.call('HGET', KEYS[3], 'tried'), false, 0
if letter.status ~= '' then
  ref = redis.call('HGET', KEYS[3], 'ref:' .. letter.room .. ':' .. letter.status)
  for _, later in ipairs(redis.call('LRANGE', KEYS[2], 1, ARGV[3])) do
    local other = cjson.decode(later).letter
    if other.status == letter.status and other.room == letter.room then replaced = 1 end
  end
end
local tried_id, tried_ms = string.match(tried or '', '^(.*)|(%d+)$')

redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
return { row, tried_id == head.id and tried_ms or false, ref, replaced }
