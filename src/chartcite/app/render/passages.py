"""What a search found, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from chartcite.app.render.answer import day, page_of
from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line

if TYPE_CHECKING:
    from chartcite.library.found import FoundPassage

SHOWN_CHARS = 320


def passage_lines(found: Sequence[FoundPassage], paper: Paper) -> Iterator[Text]:
    """Each passage with its place, cut to a few lines (`--json` has all of it)."""
    if not found:
        yield Text(paper.words("Nothing found."))
        return
    wide = len(f"{len(found)}. ")
    for n, passage in enumerate(found):
        if n:
            yield Text()
        first = passage.places[0]
        name = one_line(passage.title) or one_line(passage.note_type)
        doc_id = one_line(first.doc_id)
        page = page_of(passage.page, paper.words)
        dot = f" {paper.glyphs.dot} "
        date = day(passage.time) if passage.time else ""
        head = dot.join(
            part
            for part in (name or doc_id, date, page, paper.words("score {score}", score=f"{passage.score:.4g}"))
            if part
        )
        yield from paper.hanging(Text(f"{passage.rank}. ".rjust(wide), "cyan"), Text(head))
        copies = paper.words.plural(len(passage.places) - 1, "more place")
        more = f"{dot}{paper.words('same text in {copies}', copies=copies)}" if len(passage.places) > 1 else ""
        where = f"{doc_id + ' ' if name else ''}[{first.start}, {first.end}){more}"
        yield from paper.hanging("", Text(where, "dim"), indent=wide)
        yield from paper.hanging("", Text(shortened(passage.text, paper)), indent=wide)


def shortened(text: str, paper: Paper) -> str:
    """The beginning of a text on one line."""
    shown = one_line(text)
    return shown if len(shown) <= SHOWN_CHARS else f"{shown[:SHOWN_CHARS].rsplit(' ', 1)[0]} {paper.glyphs.more}"
