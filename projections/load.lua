-- All that a process needs to know a game, in one round trip.
--
-- KEYS[1] the game's stream     KEYS[2] its snapshot
-- KEYS[3] its secrets           KEYS[4] its people
-- KEYS[5] the tombstone of its log, if that is archived
-- ARGV[1] the entry that is known already (its number), 0 for none: then the snapshot is read
--
-- Returns {snapshot's tag or "", snapshot or "", [e, h, …] from the entry known or the snapshot's on (that one
--          included), secrets, people, the number and the hash of the entry with which an archived log ends};
--         secrets and people are flat lists of names and values
local known = tonumber(ARGV[1])
local tag, body, from = '', '', known
if known == 0 then
  local found = redis.call('HMGET', KEYS[2], 'version', 'tag', 'body')
  if found[1] then from, tag, body = tonumber(found[1]), found[2], found[3] end
end
local entries = {}
for _, row in ipairs(redis.call('XRANGE', KEYS[1], from .. '-0', '+')) do
  entries[#entries + 1] = row[2][2]
  entries[#entries + 1] = row[2][4]
end
local stone = redis.call('HMGET', KEYS[5], 'seq', 'hash')
return {tag, body, entries, redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]), stone}
