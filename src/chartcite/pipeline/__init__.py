"""Second corridor, question to answer; `corridor.py` tells it from top to bottom, `checked.py` what may be shown."""
