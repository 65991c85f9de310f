"""The front of the API: one event loop that takes requests in and serves live streams."""
