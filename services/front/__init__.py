"""The HTTP front: an event loop that reads requests and serves live streams."""
