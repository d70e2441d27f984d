"""Cross-encoders: how well one text answers one query."""
