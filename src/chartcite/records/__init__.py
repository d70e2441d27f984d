"""A patient's record as a whole: what was measured and taken, on which day, and which sentences say so."""
