"""Word lists of this room: tab-separated, `#` starts a comment line."""
