"""The event loop at the door: it takes requests in, and serves live streams."""
