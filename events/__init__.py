"""The log of every game: entries, what can be done to a game, and the store that appends to it."""
