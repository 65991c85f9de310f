"""Projector and workers: they follow the feeds of appends, and run the jobs that follow from them."""
