"""The second half of the server: a dispatcher that hears of appends, and workers that do what follows from them."""
