-- Take of every limit, or of none.
--
-- KEYS  1 the token's mark (STRING)    then each limit (HASH 24th of its window -> taken)
-- ARGV  1 keep the mark, ms            then for each limit: most, window ms, amount
-- Gives 0, or which limit (from 1) has too little left.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local limits = {}
for at = 1, #KEYS - 1 do
  local most, window, amount = tonumber(ARGV[3 * at - 1]), ARGV[3 * at], tonumber(ARGV[3 * at + 1])
  local width = math.ceil(window / 24)
  local slot, key = math.floor(now / width), KEYS[at + 1]
  local taken, fields = 0, redis.call('HGETALL', key)
  for each = 1, #fields, 2 do
    if tonumber(fields[each]) >= slot - 24 then
      taken = taken + fields[each + 1]
    else
      redis.call('HDEL', key, fields[each])
    end
  end
  if taken + amount > most then return at end
  limits[at] = {key, slot, amount, 25 * width}
end

for _, limit in ipairs(limits) do
  redis.call('HINCRBY', limit[1], limit[2], limit[3])
  redis.call('PEXPIRE', limit[1], limit[4])
end
redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
return 0
