"""Requests of every kind with the answers that 0.2.0 gave: a later version gives them again.

`exchanges.jsonl.xz` holds one exchange a line, in order: a request with its answer, or what a worker did in between
(`settle`, `project`). `python -m tests.recorded.record` made it, on the code of that release.
"""
