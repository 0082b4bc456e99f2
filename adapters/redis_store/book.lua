-- Take a place in a line, once.
--
-- KEYS  1 the line (STRING when it is through, ms)    2 the token's turn (STRING ms)
-- ARGV  1 what it costs, ms    2 keep the place after its turn, ms
-- Gives how many ms until its turn.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local turn = tonumber(redis.call('GET', KEYS[2]))
if not turn then
  turn = math.max(now, tonumber(redis.call('GET', KEYS[1])) or 0)
  local through = turn + ARGV[1]
  redis.call('SET', KEYS[1], string.format('%d', through), 'PX', math.max(1, through - now))
  redis.call('SET', KEYS[2], string.format('%d', turn), 'PX', turn - now + ARGV[2])
end
return math.max(0, turn - now)
