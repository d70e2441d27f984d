"""Search structures of a partition too large for exact arrays in memory: files beside the store, mapped."""
