"""Who did what to whom, and which way: claims that only exchange the parties are refused, restated ones are not."""

from __future__ import annotations

import pytest

from chartcite.verification.check import check_claim
from chartcite.verification.verdicts import Source

REPAIR = "Dr. Bell did a left hernia repair, assisted by Dr. Ames."
MOVED = "She was transferred from the surgical ward to the burn unit."
RECEIVED = "The surgical ward received her from the burn unit."


@pytest.mark.parametrize(
    ("claim", "cited", "holds"),
    [
        ("Dr. Ames did a left hernia repair, assisted by Dr. Bell.", REPAIR, False),
        (REPAIR, f"Note: {REPAIR}", True),
        ("She went out of the burn unit into the surgical ward.", MOVED, False),
        ("She was moved from the surgical ward to the burn unit.", RECEIVED, False),
        ("She was moved from the burn unit to the surgical ward.", RECEIVED, True),
        ("Vomiting is causing dehydration.", "Dehydration is causing vomiting.", False),
        ("Pneumonia resulted from hyponatremia.", "Hyponatremia resulted from pneumonia.", False),
        ("The patient received ceftriaxone IM.", "Pt refused ceftriaxone IM.", False),
    ],
)
def test_roles(claim: str, cited: str, holds: bool) -> None:
    assert check_claim(claim, [Source("s", cited)]).verified is holds
