"""The processes, a package each; what several of them share is in `core`."""
