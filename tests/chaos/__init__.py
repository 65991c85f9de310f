"""Chaos: people play over HTTP while everything that can break is broken, and a checker of its own looks at what is left.

`make chaos` runs it for minutes on both kinds of store and prints a report; `test_chaos.py` runs a little of it.
"""
