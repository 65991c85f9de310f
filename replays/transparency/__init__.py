"""Transparency log: the append-only Merkle tree, and the signed notes that speak of it. Pure: no files, no clock."""
