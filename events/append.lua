-- Append entries to a game's log, if the log still ends where the writer believes it does.
-- Everything that must change together changes here, in one step and one slot.
--
-- KEYS[1] the game's stream: entry n has the id n-0, field e its canonical JSON, field h its hash
-- KEYS[2] the index of retries: hash of a request's key -> "first:last:hash of its body"; "#" marks it complete
-- KEYS[3] the partition's feed: one line for each append, a wake-up for workers and watchers
-- KEYS[4] the partition's set of dirty games, whose projections are behind
-- KEYS[5] the game's secrets (a hash): the server's seed, a private game's join code
-- KEYS[6] the game's people (a hash): seat -> name and nonce
-- KEYS[7] the partition's deadlines: game -> the moment its next clock runs out (milliseconds)
-- KEYS[8] the tombstone that stands where a log was that has moved to the archive
--
-- ARGV[1] the number of the entry the writer knows as the latest (0: no log yet)
-- ARGV[2] its hash
-- ARGV[3] the hash of the request's key, or ""
-- ARGV[4] the hash of the request's body, or ""
-- ARGV[5] the game's id
-- ARGV[6] how long the feed may grow, about
-- ARGV[7] the next deadline in milliseconds, "" for none
-- ARGV[8] how many seats follow that are given up, whose people are erased
-- then    how many secrets follow, as pairs of name and value
-- then    how many people follow, as pairs of seat and value
-- then    the entries, as pairs of e and h
--
-- Returns {"OK"}
--         {"DONE", value}       this request was carried out before: its line in the index of retries
--         {"REINDEX"}           the index of retries is gone and must be rebuilt first
--         {"BEHIND", e, h, …}   the entries that the writer has not seen
--         {"FORK"}              the log does not hold what the writer knows: a failover lost entries
--         {"ARCHIVED"}          the log is in the archive: no new one may begin in its place
local seq = tonumber(ARGV[1])

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local head, head_hash = 0, ARGV[2]
if last then
  head = tonumber(string.match(last[1], '^%d+'))
  head_hash = last[2][4]
end

if not last and redis.call('EXISTS', KEYS[8]) == 1 then return {'ARCHIVED'} end

if ARGV[3] ~= '' and last then
  local done = redis.call('HGET', KEYS[2], ARGV[3])
  if done then return {'DONE', done} end
  if redis.call('HEXISTS', KEYS[2], '#') == 0 then return {'REINDEX'} end
end

if head > seq then
  local from = math.max(seq, 1)
  local entries = redis.call('XRANGE', KEYS[1], from .. '-0', '+')
  if seq > 0 and (entries[1][1] ~= seq .. '-0' or entries[1][2][4] ~= ARGV[2]) then return {'FORK'} end
  local unseen = {'BEHIND'}
  for i = (seq > 0 and 2 or 1), #entries do
    unseen[#unseen + 1] = entries[i][2][2]
    unseen[#unseen + 1] = entries[i][2][4]
  end
  return unseen
end
if head < seq or head_hash ~= ARGV[2] then return {'FORK'} end

local at = 9 + tonumber(ARGV[8])
for i = 9, at - 1 do
  redis.call('HDEL', KEYS[6], ARGV[i])
end
for _, key in ipairs({KEYS[5], KEYS[6]}) do
  local pairs_given = tonumber(ARGV[at])
  for i = 1, pairs_given do
    redis.call('HSET', key, ARGV[at + 2 * i - 1], ARGV[at + 2 * i])
  end
  at = at + 2 * pairs_given + 1
end

local first = seq + 1
for i = at, #ARGV, 2 do
  seq = seq + 1
  redis.call('XADD', KEYS[1], seq .. '-0', 'e', ARGV[i], 'h', ARGV[i + 1])
end

if head == 0 then redis.call('HSET', KEYS[2], '#', 1) end
if ARGV[3] ~= '' then redis.call('HSET', KEYS[2], ARGV[3], first .. ':' .. seq .. ':' .. ARGV[4]) end
if ARGV[7] ~= '' then
  redis.call('ZADD', KEYS[7], ARGV[7], ARGV[5])
else
  redis.call('ZREM', KEYS[7], ARGV[5])
end
redis.call('SADD', KEYS[4], ARGV[5])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[6], '*', 'game', ARGV[5], 'seq', seq)
return {'OK'}
