"""What a sentence asserts: quantities with units, negation, certainty, whose finding it is, side.

The lexicons are data files in `data/`, each with its source and licence in its first line.
"""
