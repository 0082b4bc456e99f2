-- Let a name lead to something, if it leads to what the caller thinks, or leads there already.
--
-- KEYS  1 the name (STRING)
-- ARGV  1 the new value    2 keep it, ms    3 the value it replaces; left out for none
-- Gives 1 if the name now leads to the new value, else 0.
local value = redis.call('GET', KEYS[1])
if value ~= (ARGV[3] or false) and value ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
