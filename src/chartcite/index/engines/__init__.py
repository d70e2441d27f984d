"""Indexes that several machines share, by the name that `index` has in the settings."""
