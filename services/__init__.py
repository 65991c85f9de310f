"""The processes, a room each; what several of them share is in `core`."""
