"""What `twins.py` and `as_of.py` share: planted words, who may see what, and every way to ask."""
