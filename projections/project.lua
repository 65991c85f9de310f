-- Store what follows from a game's log up to one version: only if it is newer than what is there.
-- The game stays dirty unless this is its latest version; what only counts for that is not written otherwise.
--
-- Returns {clean, marked}: clean is 1 if the game is clean now, 0 if its log has gone on, -1 if something newer was
-- there; marked lists the sets of `marks` that the game is in

local stream = KEYS[1]  -- the game's log; all else lies in its slot

local new = cjson.decode(ARGV[1])
-- game      its id
-- version   the version that is projected
-- hash      the hash of that entry
-- tag       what the snapshot was made with
-- snapshot  the key of the snapshot, a hash: version, hash, tag, body
-- tombstone the key of what is kept of the log, if it is archived: then no snapshot is kept
-- prefix    what the keys of the partition begin with
-- marks     sets of games that something outside of the partition has to know of
-- writes    what the projections make of the game (`projections/projection.py`)
local body = ARGV[2]  -- the snapshot

local game, version = new.game, tonumber(new.version)
local function key(name) return new.prefix .. name end

local there = redis.call('HMGET', new.snapshot, 'version', 'hash')
if there[1] and tonumber(there[1]) > version then
  -- newer, if the log holds it: after a failover that lost entries it may not
  local entry = redis.call('XRANGE', stream, there[1] .. '-0', there[1] .. '-0')[1]
  if entry and entry[2][4] == there[2] then return {-1, {}} end
end
local archived = redis.call('HGET', new.tombstone, 'seq')
if archived and tonumber(archived) > version then return {-1, {}} end
if not archived then
  redis.call('HSET', new.snapshot, 'version', version, 'hash', new.hash, 'tag', new.tag, 'body', body)
end
local entries = redis.call('XLEN', stream)  -- numbered from 1 on without a gap
local clean = version == (entries > 0 and entries or tonumber(archived or 0))

local write = {}

function write.hash(it)
  local name = key(it.key)
  if it.only_in and redis.call('SISMEMBER', key(it.only_in), game) == 0 then return end
  if it.marks then
    if (redis.call('HGET', name, game) or nil) == it.value then return end
    redis.call('SADD', key(it.marks), game)
  end
  if it.value then redis.call('HSET', name, game, it.value) else redis.call('HDEL', name, game) end
end

function write.set(it)
  redis.call(it.present and 'SADD' or 'SREM', key(it.key), game)
end

function write.order(it)
  if it.score and not (it.only_live and archived) then
    redis.call('ZADD', key(it.key), it.score, game)
  else
    redis.call('ZREM', key(it.key), game)
  end
end

function write.places(it)
  local before = redis.call('HGET', key(it.key), game) or '[]'
  if before == it.names then return end
  local stays = {}
  for _, name in ipairs(cjson.decode(it.names)) do
    stays[name] = true
    redis.call('ZADD', key(name), it.at, game)
  end
  for _, name in ipairs(cjson.decode(before)) do
    if not stays[name] then redis.call('ZREM', key(name), game) end
  end
  if it.names == '[]' then redis.call('HDEL', key(it.key), game) else redis.call('HSET', key(it.key), game, it.names) end
end

function write.stamp(it)
  for _, name in ipairs(it.unless) do
    if redis.call('EXISTS', key(name)) == 1 then return end
  end
  redis.call('SET', key(it.key), it.text)
end

local function drop_up_to(it, line)
  if not line then return end
  local at, nth = string.match(line[1], '(%d+)-(%d+)')
  redis.call('XTRIM', it.stream, 'MINID', '=', string.format('%s-%d', at, nth + 1))
  redis.call('SET', it.dropped, line[1])
end

local function drop_old_lines(it)
  local now = redis.call('TIME')
  local oldest = string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000) - it.kept_ms)
  -- looking for the last line that is too old goes through the whole stream where there is none, looking for the first does not
  if redis.call('XRANGE', it.stream, '-', oldest, 'COUNT', 1)[1] then
    drop_up_to(it, redis.call('XREVRANGE', it.stream, oldest, '-', 'COUNT', 1)[1])
  end
  local excess = it.length and redis.call('XLEN', it.stream) - it.length or 0
  if excess > 0 then
    local oldest_lines = redis.call('XRANGE', it.stream, '-', '+', 'COUNT', excess)
    drop_up_to(it, oldest_lines[#oldest_lines])
  end
end

function write.stream(it)
  local published = tonumber(redis.call('HGET', key(it.published), game) or 0)
  local lines = 0
  for _, event in ipairs(it.events) do
    local at, kind, json = unpack(event)
    -- whose turn it is, is told for the present alone: the line before is taken back, so playing on adds nothing
    if at > published and (kind ~= 'turn' or clean) then
      local line = redis.call('XADD', it.stream, '*', 'host', it.host, 'type', kind, 'event', json)
      lines = lines + 1
      if kind == 'turn' then
        local before = redis.call('HGET', key(it.turns), game)
        if before then redis.call('XDEL', it.stream, before) end
        redis.call('HSET', key(it.turns), game, line)
      end
    end
  end
  if it.settled then redis.call('HDEL', key(it.turns), game) end
  if lines > 0 then drop_old_lines(it) end
  if published ~= version then redis.call('HSET', key(it.published), game, version) end
end

for _, it in ipairs(new.writes) do
  if clean or not it.only_clean then write[it.type](it) end
end
if clean then redis.call('SREM', key('dirty'), game) end

local marked = {}
for _, name in ipairs(new.marks) do
  if redis.call('SISMEMBER', key(name), game) == 1 then marked[#marked + 1] = name end
end
return {clean and 1 or 0, marked}
