"""`stele` on the command line."""

from services.cli.entry import main

__all__ = ["main"]
