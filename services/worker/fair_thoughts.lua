-- Fair queueing of thoughts (`services/worker/fair_thoughts.py`).
--
-- add payer game      a game waits
-- next expected       returns {game, payer} of the next turn, or nothing
-- charge payer more   a turn took so many seconds more than was expected

local waiting = KEYS[1]  -- the payers with games that wait, by their virtual times
local used = KEYS[2]     -- payer -> virtual time; "" -> that of the latest turn

local what, prefix, kept = ARGV[1], ARGV[2], ARGV[3]

local function line_of(payer) return prefix .. 'line:' .. payer end
local function number(field) return tonumber(redis.call('HGET', used, field) or 0) end
local function set(payer, time)
  redis.call('HSET', used, payer, tostring(time))
  if redis.call('ZSCORE', waiting, payer) then redis.call('ZADD', waiting, tostring(time), payer) end
end

local answer = false
if what == 'add' then
  local payer, game = ARGV[4], ARGV[5]
  local line = line_of(payer)
  if not redis.call('LPOS', line, game) then
    redis.call('RPUSH', line, game)
    redis.call('EXPIRE', line, kept)
  end
  if not redis.call('ZSCORE', waiting, payer) then
    local time = math.max(number(payer), number(''))
    redis.call('ZADD', waiting, tostring(time), payer)
    set(payer, time)
  end
elseif what == 'next' then
  while not answer do
    local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
    local payer = first[1]
    if not payer then break end
    local game = redis.call('LPOP', line_of(payer))
    if game then
      redis.call('HSET', used, '', first[2])
      set(payer, tonumber(first[2]) + tonumber(ARGV[4]))
      answer = {game, payer}
    end
    if redis.call('EXISTS', line_of(payer)) == 0 then redis.call('ZREM', waiting, payer) end
  end
elseif what == 'charge' then
  set(ARGV[4], number(ARGV[4]) + tonumber(ARGV[5]))
end
redis.call('EXPIRE', waiting, kept)
redis.call('EXPIRE', used, kept)
return answer
