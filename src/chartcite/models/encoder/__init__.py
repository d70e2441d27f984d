"""Text encoders: dense vectors and, where a projection is known, token vectors for late interaction."""
