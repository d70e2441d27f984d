"""Replies of language models that are almost right, and what each stage must read from them."""
