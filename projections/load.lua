-- All that a process needs to know a game, in one round trip.
--
-- Returns {snapshot's tag or "", snapshot or "", [e, h, …] from the snapshot's entry on (that one included), secrets,
--          people, the number and the hash of the entry with which an archived log ends};
--         secrets and people are flat lists of names and values

local stream = KEYS[1]     -- the game's log
local snapshot = KEYS[2]   -- a hash: version, hash, tag, body
local secrets = KEYS[3]    -- a hash: what the server keeps to itself
local people = KEYS[4]     -- a hash: seat -> name and nonce
local tombstone = KEYS[5]  -- what is kept of the log, if it is archived

local tag, body, from = '', '', 0
local found = redis.call('HMGET', snapshot, 'version', 'tag', 'body')
if found[1] then from, tag, body = found[1], found[2], found[3] end
local entries = {}
for _, row in ipairs(redis.call('XRANGE', stream, from .. '-0', '+')) do
  entries[#entries + 1] = row[2][2]
  entries[#entries + 1] = row[2][4]
end
local archived = redis.call('HMGET', tombstone, 'seq', 'hash')
return {tag, body, entries, redis.call('HGETALL', secrets), redis.call('HGETALL', people), archived}
