-- The standings were told of a game's score. Returns 1 if it is still that score, and takes off the mark.

local scores = KEYS[1]  -- the partition's scores: game -> JSON
local untold = KEYS[2]  -- the partition's games of which the standings have to be told

local game = ARGV[1]   -- the game's id
local score = ARGV[2]  -- what they were told, or ""

if (redis.call('HGET', scores, game) or '') ~= score then return 0 end
redis.call('SREM', untold, game)
return 1
