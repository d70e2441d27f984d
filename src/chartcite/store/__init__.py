"""The truth: documents and sentences in one SQLite file; passages, term counts and vectors beside them are derived."""
