-- Claim the records of one shard whose time has come: each comes due again after the lease.
--
-- KEYS  1 timers (ZSET record -> wake, ms)
-- ARGV  1 at most so many    2 lease, ms
-- Gives { now ms, the next time in ms or nil, record... }.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, record in ipairs(due) do redis.call('ZADD', KEYS[1], now + ARGV[2], record) end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return { now, first[2] or false, unpack(due) }
