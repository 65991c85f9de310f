"""`stele up` on one machine: the embedded store, and the supervisor of all processes."""
