-- Put a tombstone in the place of a log that is whole in the archive, and drop what can be made from it again.
-- Only if the log still ends where the archive does, and its projections are up to date.
--
-- Returns 1 if the tombstone stands, 0 if the log is not the archived one, or not projected yet

local stream = KEYS[1]     -- the game's log
local tombstone = KEYS[2]  -- a hash: what is kept of an archived log
local dirty = KEYS[3]      -- the partition's set of games whose projections are behind
local settled = KEYS[4]    -- the partition's settled games that are not archived
local others = 5           -- from here on: the keys that go with the log

local game = ARGV[1]  -- the game's id
local seq = ARGV[2]   -- the number of the archive's last entry
local hash = ARGV[3]  -- its hash
local fields = 4      -- from here on: the fields of the tombstone, as pairs of name and value

local last = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
if not last then return redis.call('HGET', tombstone, 'hash') == hash and 1 or 0 end
if last[1] ~= seq .. '-0' or last[2][4] ~= hash then return 0 end
if redis.call('SISMEMBER', dirty, game) == 1 then return 0 end

for i = fields, #ARGV, 2 do
  redis.call('HSET', tombstone, ARGV[i], ARGV[i + 1])
end
redis.call('UNLINK', stream)
for i = others, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
redis.call('ZREM', settled, game)
return 1
