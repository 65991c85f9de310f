-- Store what follows from a game's log up to one version: only if it is newer than what is there.
-- The game stays dirty unless this is its latest version; what it owes is noted in the same step.
--
-- Returns {clean, untold}: clean is 1 if the game is clean now, 0 if its log has gone on, -1 if something newer was
-- there; untold is 1 if the standings have to be told of it

local stream = KEYS[1]           -- the game's log
local snapshot = KEYS[2]         -- the game's snapshot, a hash: version, hash, tag, body
local secrets = KEYS[3]          -- the game's secrets; "imported" marks one that was played elsewhere: no result here
local tombstone = KEYS[4]        -- what is kept of the log, if it is archived: then no snapshot is kept
local dirty = KEYS[5]            -- the partition's set of games whose projections are behind
local todo = KEYS[6]             -- the partition's owed work: game -> JSON list
local lobby_rows = KEYS[7]       -- the partition's lobby: game -> JSON
local lobby_facets = KEYS[8]     -- game -> JSON list of the lists that it stands in
local results = KEYS[9]          -- the partition's results: game -> JSON
local results_lists = KEYS[10]   -- game -> JSON list of the lists of results that it stands in
local results_scored = KEYS[11]  -- what each adds to the standings: game -> JSON
local unscored = KEYS[12]        -- the partition's games of which the standings have to be told
local failed_audits = KEYS[13]   -- the partition's games that were settled with a failed audit
local stuck = KEYS[14]           -- the partition's stuck games: game -> what is wrong
local deadlines = KEYS[15]       -- the partition's games by the moment at which their next clock runs out (ms)
local lists_format = KEYS[16]    -- marks a partition whose games are in all their lists
local told_up_to = KEYS[17]      -- up to which version each game's happenings are told: game -> version
local settled_games = KEYS[18]   -- the partition's settled games that are not archived, by time of settlement
local turn_lines = KEYS[19]      -- the line of each running game that tells whose turn it is: game -> id
local happenings = KEYS[20]      -- the stream in which this game's happenings are told: ids tell the time
local dropped = KEYS[21]         -- the last line of that stream that is not kept any more

local game = ARGV[1]               -- the game's id
local version = tonumber(ARGV[2])  -- the version that is projected
local hash = ARGV[3]               -- its hash
local tag = ARGV[4]                -- the snapshot's tag
local body = ARGV[5]               -- the snapshot
local owed = ARGV[6]               -- what is owed, a JSON list
local row = ARGV[7]                -- the lobby row
local lobby_names = ARGV[8]        -- the lists of the lobby that it stands in, a JSON list
local created_at = ARGV[9]         -- when the game was created (ms)
local prefix = ARGV[10]            -- what the keys of lists begin with
local result = ARGV[11]            -- the result, or ""
local settled_at = ARGV[12]        -- when it was settled (ms)
local result_names = ARGV[13]      -- the lists of results that it stands in, a JSON list
local score = ARGV[14]             -- what it adds to the standings, JSON, or ""
local audit_failed = ARGV[15]      -- 1 if its audit failed
local deadline = ARGV[16]          -- its next deadline (ms), or ""
local is_settled = ARGV[17]        -- 1 if it is settled
local format = ARGV[18]            -- the format of the lists
local host = ARGV[19]              -- the game's host, or ""
local feed_length = ARGV[20]       -- how long the stream of happenings may grow, or ""
local kept_ms = ARGV[21]           -- how long a line of it is kept (ms)
local events = 22                  -- from here on: what has happened, as triples of version, type and event

local there = redis.call('HMGET', snapshot, 'version', 'hash')
if there[1] and tonumber(there[1]) > version then
  -- newer, if the log holds it: after a failover that lost entries it may not
  local entry = redis.call('XRANGE', stream, there[1] .. '-0', there[1] .. '-0')[1]
  if entry and entry[2][4] == there[2] then return {-1, 0} end
end
local archived = redis.call('HGET', tombstone, 'seq')
if archived and tonumber(archived) > version then return {-1, 0} end
if not archived then
  redis.call('HSET', snapshot, 'version', version, 'hash', hash, 'tag', tag, 'body', body)
end
if is_settled == '1' and not archived then
  redis.call('ZADD', settled_games, settled_at, game)
else
  redis.call('ZREM', settled_games, game)
end

-- have the game stand in these lists, and in none that it stood in before
local function list(before, names, at)
  local stays = {}
  for _, name in ipairs(cjson.decode(names)) do
    stays[name] = true
    redis.call('ZADD', prefix .. name, at, game)
  end
  for _, name in ipairs(cjson.decode(before or '[]')) do
    if not stays[name] then redis.call('ZREM', prefix .. name, game) end
  end
end

local lobby_before = redis.call('HGET', lobby_facets, game)
if not lobby_before and redis.call('EXISTS', lobby_rows, results) == 0 then
  redis.call('SET', lists_format, format)
end
if lobby_before ~= lobby_names then
  list(lobby_before, lobby_names, created_at)
  redis.call('HSET', lobby_facets, game, lobby_names)
end
redis.call('HSET', lobby_rows, game, row)

local imported = redis.call('HEXISTS', secrets, 'imported') == 1
if imported then result, result_names, score = '', '[]', '' end

-- what a game added before may be taken back: a failover may have lost its settlement
local results_before = redis.call('HGET', results_lists, game)
if (results_before or '[]') ~= result_names then list(results_before, result_names, settled_at) end
if result ~= '' then
  redis.call('HSET', results, game, result)
  redis.call('HSET', results_lists, game, result_names)
elseif redis.call('HDEL', results, game) == 1 then
  redis.call('HDEL', results_lists, game)
end
if (redis.call('HGET', results_scored, game) or '') ~= score then
  if score == '' then
    redis.call('HDEL', results_scored, game)
  else
    redis.call('HSET', results_scored, game, score)
  end
  redis.call('SADD', unscored, game)
end
redis.call(audit_failed == '1' and 'SADD' or 'SREM', failed_audits, game)
redis.call('HDEL', stuck, game)

local untold = redis.call('SISMEMBER', unscored, game)
local entries = redis.call('XLEN', stream)  -- numbered from 1 on without a gap
local clean = version == (entries > 0 and entries or tonumber(archived or 0))

-- whose turn it is, is told for the present alone: the line before is taken back, so playing on adds nothing
local function tell(kind, event)
  local line = redis.call('XADD', happenings, '*', 'host', host, 'type', kind, 'event', event)
  if kind ~= 'turn' then return end
  local before = redis.call('HGET', turn_lines, game)
  if before then redis.call('XDEL', happenings, before) end
  redis.call('HSET', turn_lines, game, line)
end

local function drop_up_to(line)
  if not line then return end
  local at, nth = string.match(line[1], '(%d+)-(%d+)')
  redis.call('XTRIM', happenings, 'MINID', '=', string.format('%s-%d', at, nth + 1))
  redis.call('SET', dropped, line[1])
end

local told = tonumber(redis.call('HGET', told_up_to, game) or 0)
local news = 0
for i = events, imported and 0 or #ARGV, 3 do
  if tonumber(ARGV[i]) > told and (ARGV[i + 1] ~= 'turn' or clean) then
    tell(ARGV[i + 1], ARGV[i + 2])
    news = news + 1
  end
end
if is_settled == '1' then redis.call('HDEL', turn_lines, game) end
if news > 0 then
  local now = redis.call('TIME')
  local oldest = string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000) - kept_ms)
  -- looking for the last line that is too old goes through the whole stream where there is none, looking for the first does not
  if redis.call('XRANGE', happenings, '-', oldest, 'COUNT', 1)[1] then
    drop_up_to(redis.call('XREVRANGE', happenings, oldest, '-', 'COUNT', 1)[1])
  end
  local excess = feed_length ~= '' and redis.call('XLEN', happenings) - feed_length or 0
  if excess > 0 then
    local oldest_lines = redis.call('XRANGE', happenings, '-', '+', 'COUNT', excess)
    drop_up_to(oldest_lines[#oldest_lines])
  end
end
if told ~= version then redis.call('HSET', told_up_to, game, version) end

if not clean then return {0, untold} end
redis.call('SREM', dirty, game)
if owed == '[]' then
  redis.call('HDEL', todo, game)
else
  redis.call('HSET', todo, game, owed)
end
if deadline == '' then
  redis.call('ZREM', deadlines, game)
else
  redis.call('ZADD', deadlines, deadline, game)
end
return {1, untold}
