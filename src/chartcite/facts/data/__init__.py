"""Word lists of the facts room. Each names its source and licence in its first line."""
