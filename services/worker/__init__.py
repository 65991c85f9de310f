"""Dispatcher and workers: they hear of appends, and do what follows from them."""
