"""First corridor, bytes to store: find, read, route to a partition, split, encode, commit. See `corridor.ingest`."""
