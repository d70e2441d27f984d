"""What is being done for a question, in words."""

from __future__ import annotations

from chartcite.app.words import Words


def stage_said(name: str, words: Words) -> str:
    """A stage of the pipeline as a reader understands it; one that nobody has words for yet is work all the same."""
    known = {
        "interpret": words("Reading the question"),
        "timeline": words("Reading the timeline"),
        "retrieve": words("Searching"),
        "score": words("Weighing the sentences"),
        "select": words("Choosing the evidence"),
        "write": words("Writing"),
        "model": words("Waiting for the model"),
        "align": words("Finding the source of each sentence"),
        "verify": words("Checking each sentence against its source"),
        "judge": words("Asking the judge"),
        "conflicts": words("Looking for what says otherwise"),
    }
    return known.get(name) or words("Working")
