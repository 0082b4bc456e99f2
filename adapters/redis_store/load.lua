-- A record, and whether an event was committed to it.
--
-- KEYS  1 the record    2 the event's mark
-- Gives { now ms, revision or nil, blob or nil, 1 if the event was committed else 0 }.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local record = redis.call('HMGET', KEYS[1], 'v', 'd')
return { now, record[1], record[2], redis.call('EXISTS', KEYS[2]) }
