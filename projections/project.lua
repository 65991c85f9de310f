-- Store what follows from a game's log up to one version: only if it is newer than what is there.
-- The game stays dirty unless this is its latest version; what it owes is noted in the same step.
--
-- Returns 1 if the game is clean now, 0 if its log has gone on, -1 if something newer was there

local stream = KEYS[1]           -- the game's log
local snapshot = KEYS[2]         -- the game's snapshot, a hash: version, hash, tag, body
local dirty = KEYS[3]            -- the partition's set of games whose projections are behind
local todo = KEYS[4]             -- the partition's owed work: game -> JSON list
local lobby_rows = KEYS[5]       -- the partition's lobby: game -> JSON
local lobby_facets = KEYS[6]     -- game -> JSON list of the lists that it stands in
local results = KEYS[7]          -- the partition's results: game -> JSON
local results_order = KEYS[8]    -- the same games by time of settlement
local results_scored = KEYS[9]   -- what each added to the standings: game -> JSON list of [field, played, won, shared]
local standings = KEYS[10]       -- the partition's standings: player and ruleset -> "played:won:shared"
local failed_audits = KEYS[11]   -- the partition's games that were settled with a failed audit
local stuck = KEYS[12]           -- the partition's stuck games: game -> what is wrong
local deadlines = KEYS[13]       -- the partition's games by the moment at which their next clock runs out (ms)
local secrets = KEYS[14]         -- the game's secrets; "imported" marks one that was played elsewhere: no result here
local tombstone = KEYS[15]       -- what is kept of the log, if it is archived: then no snapshot is kept
local settled_games = KEYS[16]   -- the partition's settled games that are not archived, by time of settlement

local game = ARGV[1]               -- the game's id
local version = tonumber(ARGV[2])  -- the version that is projected
local hash = ARGV[3]               -- its hash
local tag = ARGV[4]                -- the snapshot's tag
local body = ARGV[5]               -- the snapshot
local owed = ARGV[6]               -- what is owed, a JSON list
local row = ARGV[7]                -- the lobby row, or ""
local facets = ARGV[8]             -- the facets, a JSON list
local created_at = ARGV[9]         -- when the game was created (ms)
local lobby_prefix = ARGV[10]      -- what the keys of the lobby's lists begin with
local result = ARGV[11]            -- the result, or ""
local settled_at = ARGV[12]        -- when it was settled (ms)
local scores = ARGV[13]            -- what it adds to standings, a JSON list of [field, played, won, shared]
local audit_failed = ARGV[14]      -- 1 if its audit failed
local deadline = ARGV[15]          -- its next deadline (ms), or ""
local is_settled = ARGV[16]        -- 1 if it is settled

local there = redis.call('HMGET', snapshot, 'version', 'hash')
if there[1] and tonumber(there[1]) > version then
  -- newer, if the log holds it: after a failover that lost entries it may not
  local entry = redis.call('XRANGE', stream, there[1] .. '-0', there[1] .. '-0')[1]
  if entry and entry[2][4] == there[2] then return -1 end
end
local archived = redis.call('HGET', tombstone, 'seq')
if archived and tonumber(archived) > version then return -1 end
if not archived then
  redis.call('HSET', snapshot, 'version', version, 'hash', hash, 'tag', tag, 'body', body)
end
if is_settled == '1' and not archived then
  redis.call('ZADD', settled_games, settled_at, game)
else
  redis.call('ZREM', settled_games, game)
end

for _, name in ipairs(cjson.decode(redis.call('HGET', lobby_facets, game) or '[]')) do
  redis.call('ZREM', lobby_prefix .. name, game)
end
if row ~= '' then
  redis.call('HSET', lobby_rows, game, row)
  redis.call('HSET', lobby_facets, game, facets)
  for _, name in ipairs(cjson.decode(facets)) do
    redis.call('ZADD', lobby_prefix .. name, created_at, game)
  end
end

local function add_to_standings(lines, sign)
  for _, line in ipairs(cjson.decode(lines)) do
    local before = redis.call('HGET', standings, line[1]) or '0:0:0'
    local played, won, shared = string.match(before, '(%-?%d+):(%-?%d+):(%-?%d+)')
    played, won, shared = played + sign * line[2], won + sign * line[3], shared + sign * line[4]
    if played == 0 then
      redis.call('HDEL', standings, line[1])
    else
      redis.call('HSET', standings, line[1], played .. ':' .. won .. ':' .. shared)
    end
  end
end

if redis.call('HEXISTS', secrets, 'imported') == 1 then result, scores = '', '[]' end

-- what a game added before is taken back first: a failover may have lost its settlement
local scored = redis.call('HGET', results_scored, game) or '[]'
if scored ~= scores then
  add_to_standings(scored, -1)
  add_to_standings(scores, 1)
end
if result ~= '' then
  redis.call('HSET', results, game, result)
  redis.call('ZADD', results_order, settled_at, game)
  redis.call('HSET', results_scored, game, scores)
elseif redis.call('HDEL', results, game) == 1 then
  redis.call('ZREM', results_order, game)
  redis.call('HDEL', results_scored, game)
end
redis.call(audit_failed == '1' and 'SADD' or 'SREM', failed_audits, game)
redis.call('HDEL', stuck, game)

local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
local head = last and last[1] or (archived and archived .. '-0')
if head ~= version .. '-0' then return 0 end
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
return 1
