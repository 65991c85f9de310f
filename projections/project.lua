-- Store what follows from a game's log up to one version: only if it is newer than what is there.
-- The game stays dirty unless this is its latest version; what it owes is noted in the same step.
--
-- KEYS[1] the game's stream
-- KEYS[2] the game's snapshot (a hash: version, hash, tag, body)
-- KEYS[3] the partition's set of dirty games
-- KEYS[4] the partition's owed work: game -> JSON list
-- KEYS[5] the partition's lobby rows: game -> JSON
-- KEYS[6] the partition's facets: game -> JSON list of the lists it stands in
-- KEYS[7] the partition's results: game -> JSON
-- KEYS[8] the partition's results by time of settlement
-- KEYS[9] what the partition's results added to its standings: game -> JSON list of [field, played, won, shared]
-- KEYS[10] the partition's standings: player and ruleset -> "played:won:shared"
-- KEYS[11] the partition's games that were settled with a failed audit
-- KEYS[12] the partition's stuck games: game -> what is wrong
-- KEYS[13] the partition's deadlines: game -> the moment its next clock runs out (milliseconds)
-- KEYS[14] the game's secrets: a game that was played elsewhere has the mark "imported" and no result here
-- KEYS[15] the tombstone of the game's log, if that is archived: then no snapshot is kept
-- KEYS[16] the partition's settled games that are not archived, by time of settlement
--
-- ARGV[1] the game's id             ARGV[2] the version
-- ARGV[3] its hash                  ARGV[4] the snapshot's tag
-- ARGV[5] the snapshot              ARGV[6] what is owed, a JSON list
-- ARGV[7] the lobby row, or ""      ARGV[8] the facets, a JSON list
-- ARGV[9] when it was created (ms)  ARGV[10] what the keys of the lists begin with
-- ARGV[11] the result, or ""        ARGV[12] when it was settled (ms)
-- ARGV[13] what it adds to standings, a JSON list of [field, played, won, shared]
-- ARGV[14] 1 if its audit failed    ARGV[15] its next deadline (ms), or ""
-- ARGV[16] 1 if it is settled
--
-- Returns 1 if the game is clean now, 0 if its log has gone on, -1 if something newer was there
local game, version = ARGV[1], tonumber(ARGV[2])

local there = redis.call('HMGET', KEYS[2], 'version', 'hash')
if there[1] and tonumber(there[1]) > version then
  -- newer, if the log holds it: after a failover that lost entries it may not
  local row = redis.call('XRANGE', KEYS[1], there[1] .. '-0', there[1] .. '-0')[1]
  if row and row[2][4] == there[2] then return -1 end
end
local archived = redis.call('HGET', KEYS[15], 'seq')
if archived and tonumber(archived) > version then return -1 end
if not archived then
  redis.call('HSET', KEYS[2], 'version', version, 'hash', ARGV[3], 'tag', ARGV[4], 'body', ARGV[5])
end
if ARGV[16] == '1' and not archived then
  redis.call('ZADD', KEYS[16], ARGV[12], game)
else
  redis.call('ZREM', KEYS[16], game)
end

for _, name in ipairs(cjson.decode(redis.call('HGET', KEYS[6], game) or '[]')) do
  redis.call('ZREM', ARGV[10] .. name, game)
end
if ARGV[7] ~= '' then
  redis.call('HSET', KEYS[5], game, ARGV[7])
  redis.call('HSET', KEYS[6], game, ARGV[8])
  for _, name in ipairs(cjson.decode(ARGV[8])) do
    redis.call('ZADD', ARGV[10] .. name, ARGV[9], game)
  end
end

local function add_to_standings(lines, sign)
  for _, line in ipairs(cjson.decode(lines)) do
    local before = redis.call('HGET', KEYS[10], line[1]) or '0:0:0'
    local played, won, shared = string.match(before, '(%-?%d+):(%-?%d+):(%-?%d+)')
    played, won, shared = played + sign * line[2], won + sign * line[3], shared + sign * line[4]
    if played == 0 then
      redis.call('HDEL', KEYS[10], line[1])
    else
      redis.call('HSET', KEYS[10], line[1], played .. ':' .. won .. ':' .. shared)
    end
  end
end

local result, scores = ARGV[11], ARGV[13]
if redis.call('HEXISTS', KEYS[14], 'imported') == 1 then result, scores = '', '[]' end

-- what a game added before is taken back first: a failover may have lost its settlement
local scored = redis.call('HGET', KEYS[9], game) or '[]'
if scored ~= scores then
  add_to_standings(scored, -1)
  add_to_standings(scores, 1)
end
if result ~= '' then
  redis.call('HSET', KEYS[7], game, result)
  redis.call('ZADD', KEYS[8], ARGV[12], game)
  redis.call('HSET', KEYS[9], game, scores)
elseif redis.call('HDEL', KEYS[7], game) == 1 then
  redis.call('ZREM', KEYS[8], game)
  redis.call('HDEL', KEYS[9], game)
end
redis.call(ARGV[14] == '1' and 'SADD' or 'SREM', KEYS[11], game)
redis.call('HDEL', KEYS[12], game)

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local head = last and last[1] or (archived and archived .. '-0')
if head ~= version .. '-0' then return 0 end
redis.call('SREM', KEYS[3], game)
if ARGV[6] == '[]' then
  redis.call('HDEL', KEYS[4], game)
else
  redis.call('HSET', KEYS[4], game, ARGV[6])
end
if ARGV[15] == '' then
  redis.call('ZREM', KEYS[13], game)
else
  redis.call('ZADD', KEYS[13], ARGV[15], game)
end
return 1
