"""Soak: many games and many watchers for minutes, more than is allowed for a while, and a look at every process.

`make soak` runs it for ten minutes and prints a report; `test_soak.py` runs a little of it.
"""
