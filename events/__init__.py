"""Event sourcing: every game is a log of entries; commands write them, and the event store appends them."""
