-- Keep a batch of ratings of one pool, if nothing has come to the pool since they were reckoned.
--
-- Returns 1 if they are kept, 0 if something has come

local pool = KEYS[1]     -- a hash: rev, and from which match on ratings are to be made (when, game)
local rated = KEYS[2]    -- the matches that are rated, by time of settlement
local steps = KEYS[3]    -- game -> JSON of its players' ratings before it
local ratings = KEYS[4]  -- player -> JSON
local order = KEYS[5]    -- players by rating, best first
local unrated = KEYS[6]  -- the set of pools with matches that are not rated yet

local name = ARGV[1]      -- the pool
local revision = ARGV[2]  -- what rev was when the batch was begun
local changes = cjson.decode(ARGV[3])

if (redis.call('HGET', pool, 'rev') or '') ~= revision then return 0 end
local now = redis.call('TIME')
redis.call('HSET', pool, 'rev', now[1] .. '.' .. now[2])
for _, game in ipairs(changes.undone) do
  redis.call('ZREM', rated, game)
  redis.call('HDEL', steps, game)
end
for _, step in ipairs(changes.done) do
  redis.call('ZADD', rated, string.format('%.0f', step[1]), step[2])
  redis.call('HSET', steps, step[2], step[3])
end
for _, line in ipairs(changes.players) do
  if line[2] then
    redis.call('HSET', ratings, line[1], line[2])
    redis.call('ZADD', order, string.format('%.0f', line[3]), line[1])
  else
    redis.call('HDEL', ratings, line[1])
    redis.call('ZREM', order, line[1])
  end
end
if changes.stale_from[1] then
  redis.call('HSET', pool, 'when', string.format('%.0f', changes.stale_from[1]), 'game', changes.stale_from[2])
else
  redis.call('HDEL', pool, 'when', 'game')
  redis.call('SREM', unrated, name)
end
return 1
