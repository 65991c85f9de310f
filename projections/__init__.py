"""Projections (read models): snapshots, the lobby, results. All of them follow from the logs and can be rebuilt."""
