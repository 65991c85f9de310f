"""Rubbish that refers to itself: the interpreter looks for it now and then, through everything that is in memory."""

import gc

RUBBISH = (20_000, 20, 50)
"""How much is made before rubbish is looked for: each look goes through all games that are known here."""


def look_for_rubbish_seldom() -> None:
    """What is loaded by now stays: looking through it again and again would take long, and stop everyone meanwhile."""
    gc.collect()
    gc.set_threshold(*RUBBISH)
    gc.freeze()
