-- Append entries to a game's log, if the log still ends where the writer believes it does.
-- Everything that must change together changes here, in one step and one slot.
--
-- Returns {"OK"}
--         {"DONE", value}       this request was carried out before: its line in the index of retries
--         {"REINDEX"}           the index of retries is gone and must be rebuilt first
--         {"BEHIND", e, h, …}   the entries that the writer has not seen
--         {"DIVERGED"}          the log does not hold what the writer knows: a failover lost entries
--         {"ARCHIVED"}          the log is in the archive: no new one may begin in its place

local stream = KEYS[1]     -- the log: entry n has the id n-0, field e its canonical JSON, field h its hash
local retries = KEYS[2]    -- the index of retries: a request's key -> "first:last:body"; "#" marks it complete; "@" is
                           -- the head, "number:hash", which is believed only if the log is as long as it says
local feed = KEYS[3]       -- the partition's feed: one line for each append, a wake-up for workers and watchers
local dirty = KEYS[4]      -- the partition's set of games whose projections are behind
local deadlines = KEYS[5]  -- the partition's games by the moment at which their next clock runs out (milliseconds)
local tombstone = KEYS[6]  -- what stands where a log was that has moved to the archive
-- Named only where there is something for them:
local secrets = KEYS[7]    -- a hash: the server's seed, a private game's join code
local people = KEYS[8]     -- a hash: seat -> name and nonce; seat~generation -> those of who has handed it over
local unlogged = KEYS[9]   -- the partition's set of leaves that the transparency log does not show yet

local known = tonumber(ARGV[1])  -- the number of the entry that the writer knows as the latest (0: no log yet)
local known_hash = ARGV[2]       -- its hash
local request = ARGV[3]          -- the hash of the request's key, or ""
local body = ARGV[4]             -- the hash of the request's body, or ""
local game = ARGV[5]             -- the game's id
local feed_length = ARGV[6]      -- how long the feed may grow, about
local deadline = ARGV[7]         -- the next deadline in milliseconds, "" for none
local due = ARGV[8]              -- "1" if a worker is to act on it at once, else ""
local replicated = ARGV[9]       -- "1" if the writer waits for replicas: it waits for what it has written itself, so
                                 -- that what was done before is written again; else ""
local leaves = ARGV[10]          -- what the transparency log is to hold of it: "created", "settled", both, or ""
local beside = ARGV[11]          -- what changes beside the log, as JSON, or "": `left`, the seats that are given up;
                                 -- `handed_over`, seats and the names under which their former players are kept;
                                 -- `secrets` and `people`, by name and by seat
local FIRST = 12                 -- from here on the entries, as pairs of e and h

local function number_of(row) return tonumber(string.match(row[1], '^%d+')) end
local function entry_of(row) return row[2][2] end
local function hash_of(row) return row[2][4] end

local head = redis.call('XLEN', stream)
local noted = redis.call('HMGET', retries, '@', '#', request)
local done = noted[3]
local head_hash = noted[1] and noted[1] == head .. ':' .. known_hash and known_hash
if head == 0 then
  if redis.call('EXISTS', tombstone) == 1 then return {'ARCHIVED'} end
  head_hash = known_hash
elseif not head_hash then  -- not what the writer knows, or written by a version that noted no head: ask the log itself
  local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  head, head_hash = number_of(last), hash_of(last)
end

if request ~= '' and head > 0 then
  if done then
    if replicated ~= '' then redis.call('HSET', retries, request, done) end
    return {'DONE', done}
  end
  if not noted[2] then return {'REINDEX'} end
end

if head > known then
  local rows = redis.call('XRANGE', stream, math.max(known, 1) .. '-0', '+')
  if known > 0 and (number_of(rows[1]) ~= known or hash_of(rows[1]) ~= known_hash) then return {'DIVERGED'} end
  local unseen = {'BEHIND'}
  for i = (known > 0 and 2 or 1), #rows do
    unseen[#unseen + 1] = entry_of(rows[i])
    unseen[#unseen + 1] = hash_of(rows[i])
  end
  return unseen
end
if head < known or head_hash ~= known_hash then return {'DIVERGED'} end

if beside ~= '' then
  local given = cjson.decode(beside)
  for _, seat in ipairs(given.left) do
    redis.call('HDEL', people, seat)
  end
  for seat, former in pairs(given.handed_over) do
    local person = redis.call('HGET', people, seat)
    if person then
      redis.call('HSET', people, former, person)
      redis.call('HDEL', people, seat)
    end
  end
  for name, value in pairs(given.secrets) do redis.call('HSET', secrets, name, value) end
  for seat, person in pairs(given.people) do redis.call('HSET', people, seat, person) end
end

local seq = known
for i = FIRST, #ARGV, 2 do
  seq = seq + 1
  redis.call('XADD', stream, seq .. '-0', 'e', ARGV[i], 'h', ARGV[i + 1])
end

local indexed = {'@', seq .. ':' .. ARGV[#ARGV]}
if known == 0 then
  indexed[3] = '#'
  indexed[4] = 1
end
if request ~= '' then
  indexed[#indexed + 1] = request
  indexed[#indexed + 1] = known + 1 .. ':' .. seq .. ':' .. body
end
redis.call('HSET', retries, unpack(indexed))
if deadline ~= '' then
  redis.call('ZADD', deadlines, deadline, game)
else
  redis.call('ZREM', deadlines, game)
end
for kind in string.gmatch(leaves, '%a+') do
  local leaf = kind == 'created' and 1 or seq
  local digest = hash_of(redis.call('XRANGE', stream, leaf .. '-0', leaf .. '-0')[1])
  redis.call('SADD', unlogged, table.concat({game, kind, leaf, digest}, ' '))
end
redis.call('SADD', dirty, game)
redis.call('XADD', feed, 'MAXLEN', '~', feed_length, '*', 'game', game, 'seq', seq, 'due', due)
return {'OK'}
