-- What has come to a game after an entry that is known, in one round trip.
--
-- Returns {[e, h, …] after that entry, people as a flat list of seats and values}
--         {} if that entry does not stand where it was: a failover lost it, or the game is not what it was

local stream = KEYS[1]     -- the game's log
local people = KEYS[2]     -- a hash: seat -> name and nonce
local tombstone = KEYS[3]  -- what is kept of the log, if it is archived

local known = ARGV[1]       -- the number of the entry
local known_hash = ARGV[2]  -- its hash

local rows = redis.call('XRANGE', stream, known .. '-0', '+')
if not rows[1] then
  local archived = redis.call('HMGET', tombstone, 'seq', 'hash')
  if archived[1] ~= known or archived[2] ~= known_hash then return {} end
elseif rows[1][1] ~= known .. '-0' or rows[1][2][4] ~= known_hash then
  return {}
end
local entries = {}
for i = 2, #rows do
  entries[#entries + 1] = rows[i][2][2]
  entries[#entries + 1] = rows[i][2][4]
end
return {entries, redis.call('HGETALL', people)}
