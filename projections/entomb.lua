-- Put a tombstone in the place of a log that is whole in the archive, and drop what can be made from it again.
-- Only if the log still ends where the archive does, and its projections are up to date.
--
-- KEYS[1] the game's stream         KEYS[2] the tombstone
-- KEYS[3] the partition's set of dirty games
-- KEYS[4] the partition's settled games that are not archived
-- KEYS[5] and more: what goes with the log
--
-- ARGV[1] the game's id
-- ARGV[2] the number of the archive's last entry      ARGV[3] its hash
-- then    the fields of the tombstone, as pairs of name and value
--
-- Returns 1 if the tombstone stands, 0 if the log is not the archived one, or not projected yet
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last then return redis.call('HGET', KEYS[2], 'hash') == ARGV[3] and 1 or 0 end
if last[1] ~= ARGV[2] .. '-0' or last[2][4] ~= ARGV[3] then return 0 end
if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return 0 end

for i = 4, #ARGV, 2 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
end
redis.call('UNLINK', KEYS[1])
for i = 5, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
redis.call('ZREM', KEYS[4], ARGV[1])
return 1
