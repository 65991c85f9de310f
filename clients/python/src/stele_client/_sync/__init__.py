"""The client for programs without an event loop: made by `make_sync.py`, not to be edited."""
