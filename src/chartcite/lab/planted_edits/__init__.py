"""planted_edits: a seeded generator of claims about invented notes, each right or wrong by construction.

`shapes` says what facts there are, `draw` invents one, `grammar` writes it down as a source sentence and as a claim,
`wrong` makes it untrue in one way, `forms` says it otherwise, `maker` puts an item together, `generate` fills a folder.
Word lists and templates are data; none is shared with the product's lexicons, and nothing of its rules is imported.
"""

from chartcite.lab.planted_edits.generate import DEFAULT_SEED, Sizes, generate
from chartcite.lab.planted_edits.kinds import TRUE_KINDS, WRONG_KINDS

__all__ = ["DEFAULT_SEED", "TRUE_KINDS", "WRONG_KINDS", "Sizes", "generate"]
