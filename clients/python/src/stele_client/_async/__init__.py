"""The client for programs with an event loop. `stele_client._sync` is made of it by `make_sync.py`."""
