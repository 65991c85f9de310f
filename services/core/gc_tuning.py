"""Garbage collection tuning: what is loaded at the start is frozen, and collections become rare."""

import gc

GC_THRESHOLDS = (20_000, 20, 50)
"""How much is made before rubbish is looked for: each look goes through all games that are known here."""


def tune_gc() -> None:
    """What is loaded by now stays: looking through it again and again would take long, and stop everyone meanwhile."""
    gc.collect()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.freeze()
