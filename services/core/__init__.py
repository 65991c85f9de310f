"""What several processes share: the ledger and history of games, records, the archive, keys, settings, logging."""
