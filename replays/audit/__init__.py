"""The audit of a finished game: two stand-alone verifiers, and what the rules say beyond them."""
