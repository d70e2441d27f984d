"""The kinds of claim: in what way one is wrong, or in what way it says the same otherwise."""

from __future__ import annotations

from collections.abc import Mapping

WRONG_KINDS = (
    "negation", "drug_swap", "role_swap", "date_order", "decimal_shift", "event_count", "unit", "direction", "value",
    "side", "historical_current", "added_detail", "body_site", "frequency", "comparator", "certainty", "route",
    "wrong_citation", "experiencer", "allergic_tolerated",
)  # fmt: skip
TRUE_KINDS = (
    "paraphrase", "abbreviation", "brand_generic", "part_of_facts", "exact_conversion", "negation_restated",
    "number_words", "synonym", "reordered_list", "voice", "double_negation", "date_format", "rounding_about",
    "two_sentences",
)  # fmt: skip

FORM_PAIRS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "abbreviation": (("usual", "abbr"), ("abbr", "usual")),
    "brand_generic": (("usual", "brand"), ("brand", "usual")),
    "exact_conversion": (("usual", "converted"), ("converted", "usual")),
    "number_words": (("usual", "words"), ("words", "usual"), ("digits", "words"), ("words", "digits")),
    "synonym": (("usual", "synonym"), ("synonym", "usual")),
    "reordered_list": (("usual", "reordered"), ("reordered", "usual")),
    "date_format": (("long", "slash"), ("slash", "long"), ("iso", "long"), ("long", "iso"), ("slash", "iso"),
                    ("iso", "slash"), ("short", "iso"), ("long", "short"), ("slash", "short")),
    "rounding_about": (("usual", "about"),),
}  # fmt: skip
"""Kinds that are the same value in another form: (form in the source, form in the claim)."""

FORM_TYPES: Mapping[str, frozenset[str]] = {
    "number_words": frozenset({"tally", "span", "nodes", "freq", "rhythm"}),
    "rounding_about": frozenset({"result", "reading"}),
    "date_format": frozenset({"date"}),
}
"""Types of slot to which a form kind is confined; the others take any slot that has both forms."""

NEGATED = frozenset({"absent", "omitted", "never", "not", "clear"})
"""Variants of which a fact says that something is not so."""
