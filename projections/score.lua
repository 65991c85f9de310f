-- Count a game's score in the standings, once: what it added before is taken back first.
-- If it is a match of people who are rated, it is noted for the ratings, which are stale from there on.

local scored = KEYS[1]  -- what each game has added: game -> JSON

local game = ARGV[1]    -- the game's id
local score = ARGV[2]   -- its score: JSON {when, groups, players: [[player, played, won, shared, seat], …],
                        -- match: {pool, players}}, or ""
local prefix = ARGV[3]  -- what the keys of the standings begin with

local POINTS = 1000000  -- how much a point weighs against a game played

local function add(group, line, sign, when)
  local totals, order = prefix .. 'totals:' .. group, prefix .. 'order:' .. group
  local player = line[1]
  local before = redis.call('HGET', totals, player) or '0:0:0:0::0'
  local played, won, shared, latest, at, seat = string.match(before, '(%d+):(%d+):(%d+):(%d+):([^:]*):(%d+)')
  played, won, shared = played + sign * line[2], won + sign * line[3], shared + sign * line[4]
  if played <= 0 then
    redis.call('HDEL', totals, player)
    redis.call('ZREM', order, player)
    return
  end
  latest = tonumber(latest)
  if sign > 0 and (when > latest or (when == latest and game > at)) then
    latest, at, seat = when, game, line[5]
  end
  local text = string.format('%d:%d:%d:%d:%s:%d', played, won, shared, latest, at, seat)
  redis.call('HSET', totals, player, text)
  redis.call('ZADD', order, string.format('%.0f', played - POINTS * (2 * won - shared)), player)
end

local function drop_pool(name)
  for _, kind in ipairs({'pool', 'match', 'rated', 'steps', 'ratings', 'rating_order'}) do
    redis.call('DEL', prefix .. kind .. ':' .. name)
  end
  redis.call('SREM', prefix .. 'unrated', name)
end

local function mark_stale(name, when)
  local pool, now = prefix .. 'pool:' .. name, redis.call('TIME')
  redis.call('HSET', pool, 'rev', now[1] .. '.' .. now[2])
  redis.call('SADD', prefix .. 'unrated', name)
  local from = redis.call('HMGET', pool, 'when', 'game')
  local at = tonumber(from[1])
  if not at or when < at or (when == at and game < from[2]) then
    redis.call('HSET', pool, 'when', string.format('%.0f', when), 'game', game)
  end
end

local function note_match(match, sign, when)
  local matches, details = prefix .. 'matches:' .. match.pool, prefix .. 'match:' .. match.pool
  if sign > 0 then
    redis.call('ZADD', matches, string.format('%.0f', when), game)
    redis.call('HSET', details, game, cjson.encode(match))
  else
    redis.call('ZREM', matches, game)
    redis.call('HDEL', details, game)
  end
  if redis.call('EXISTS', matches) == 1 then mark_stale(match.pool, when) else drop_pool(match.pool) end
end

local function add_all(json, sign)
  local told = cjson.decode(json)
  for _, group in ipairs(told.groups) do
    for _, line in ipairs(told.players) do add(group, line, sign, told.when) end
  end
  if told.match then note_match(told.match, sign, told.when) end
end

local before = redis.call('HGET', scored, game) or ''
if before == score then return 0 end
if before ~= '' then add_all(before, -1) end
if score == '' then
  redis.call('HDEL', scored, game)
else
  add_all(score, 1)
  redis.call('HSET', scored, game, score)
end
return 1
