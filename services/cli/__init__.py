"""`stele` on the command line: its commands, and what they show."""

from services.cli.entry import main

__all__ = ["main"]
