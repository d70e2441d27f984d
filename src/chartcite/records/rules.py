"""Which rules findings come from: a change of the code or of a word list makes those that are kept out of date."""

from __future__ import annotations

from chartcite.core.own_code import code_digest


def rules() -> str:
    """A digest of the source files and word lists that findings follow from."""
    return code_digest(("core", "text", "facts", "records"))
