"""What concerns every call of a model, one wrapper around the port a file; `library/chats.py` puts them together."""
