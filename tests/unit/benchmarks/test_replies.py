"""Our own replies that are almost right, of every kind of stage."""

from __future__ import annotations

import pytest

from replies import Item, is_right, items

OWN = list(items(None))


@pytest.mark.parametrize("item", OWN, ids=[item["id"] for item in OWN])
def test_each_stage_reads_what_it_should(item: Item) -> None:
    assert is_right(item), item["why"]


def test_every_stage_has_items_that_fail_and_that_do_not() -> None:
    for stage in ("align", "judge", "score", "query"):
        assert {item["expected"] == "FAIL" for item in OWN if item["stage"] == stage} == {True, False}
