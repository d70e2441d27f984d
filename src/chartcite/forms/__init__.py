"""Fourth corridor, other forms of an answer: one of several options, or a span of a sentence.

Both begin as `ask` does: the same interpretation, retrieval, grades and selection. Then the options are held against
the evidence, or the part of it that answers is cut out.
"""
