"""The review of a game: how its chances went, what would have been better, and what the shuffles gave."""
