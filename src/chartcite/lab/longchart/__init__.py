"""longchart: a seeded generator of fictional long records with computed gold.

`facts` is the hidden truth, `notes` writes it down with exact spans, `questions` asks about it, `output` files it.
Word lists and templates are data; none is shared with the product's lexicons.
"""

from chartcite.lab.longchart.generate import DEFAULT_MIX, DEFAULT_SEED, generate

__all__ = ["DEFAULT_MIX", "DEFAULT_SEED", "generate"]
