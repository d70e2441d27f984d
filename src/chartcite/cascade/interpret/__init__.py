"""Question to query: what is asked, in at most 15 words."""
