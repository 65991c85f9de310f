-- Count one more use of a limit within a window. Returns the count, and the seconds until the window ends.

local counter = KEYS[1]  -- how often one caller has used the limit in this window

local window = tonumber(ARGV[1])  -- seconds

local count = redis.call('INCR', counter)
local left = redis.call('TTL', counter)
if left < 0 then
  redis.call('EXPIRE', counter, window)
  left = window
end
return {count, left}
