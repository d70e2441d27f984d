"""One file a resource; each has a `router` that `application.py` takes in."""
