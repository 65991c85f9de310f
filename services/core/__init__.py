"""What several processes share: the ledger and the past of games, records, the archive, keys, settings, logs."""
