-- Note what has come of a review, if it is still the one that is under way: who cancels it is not overruled.
--
-- Returns 1 if it is noted, 0 if nobody wants it any more

local asked = KEYS[1]   -- the partition's reviews that are under way: game -> who asked for them, and when
local review = KEYS[2]  -- a hash: what there is of the game's review

local game = ARGV[1]  -- the game's id
local run = ARGV[2]   -- the review as it was asked for
local over = ARGV[3]  -- 1 if it ends here: what was noted on the way is dropped
local fields = 4      -- from here on: what to note, as pairs of name and value

if redis.call('HGET', asked, game) ~= run then return 0 end
if over == '1' then
  redis.call('HDEL', asked, game)
  redis.call('UNLINK', review)
end
for i = fields, #ARGV, 2 do
  redis.call('HSET', review, ARGV[i], ARGV[i + 1])
end
return 1
