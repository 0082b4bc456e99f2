-- How much of a limit was taken within its window.
--
-- KEYS  1 the limit (HASH 24th of its window -> taken)
-- ARGV  1 window ms
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local slot = math.floor(now / math.ceil(ARGV[1] / 24))
local taken, fields = 0, redis.call('HGETALL', KEYS[1])
for each = 1, #fields, 2 do
  if tonumber(fields[each]) >= slot - 24 then taken = taken + fields[each + 1] end
end
return taken
