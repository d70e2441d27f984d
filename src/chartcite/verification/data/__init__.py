"""Word lists of the verification room. Each names its source and licence in its first line."""
