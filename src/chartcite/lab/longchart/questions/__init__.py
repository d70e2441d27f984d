"""Questions with computed answers, from the same hidden truth as the notes."""
