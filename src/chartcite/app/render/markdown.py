r"""An answer as Markdown: numbered sentences, then the numbered list of sources with the quotes, to be put in a review.

Foreign text is escaped, so that no quote can become a heading, a link, an image or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from chartcite.app.render.answer import (
    NOTICE,
    abstained_sentence,
    cautions,
    check_said,
    searched_sentence,
    sources_sentence,
)
from chartcite.app.render.references import first_numbers, reference, side
from chartcite.app.render.safe import one_line
from chartcite.app.words import ENGLISH, Words
from chartcite.core.answer import Answer, AnswerSentence, Citation, Identity, identity
from chartcite.core.documents import Bibliography

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~!&$])")


def markdown(answer: Answer, words: Words = ENGLISH) -> str:
    """The whole answer; ends with a line end."""
    parts = [f"# {escaped(answer.question or answer.query)}", *_body(answer, words)]
    if answer.conflicts:
        parts += [f"## {words('May disagree')}", *_conflicts(answer, words)]
    parts += [f"**{escaped(caution)}**" for caution in cautions(answer, words)]
    parts.append(searched_sentence(answer.searched, words))
    if answer.sources and answer.sentences:
        parts.append(sources_sentence(answer, words))
    return "\n\n".join([*parts, f"*{words(NOTICE)}*"]) + "\n"


def escaped(text: str) -> str:
    r"""One line in which nothing is markup.

    >>> escaped("# <b>5 mg</b> [x](y)")
    '\\# \\<b\\>5 mg\\</b\\> \\[x\\](y)'
    """
    line = _inside(text)
    return re.sub(r"^(?:[-+=]|\d+(?=[.)]))", lambda m: m[0] + "\\" if m[0].isdigit() else f"\\{m[0]}", line)


def _inside(text: str) -> str:
    """The same, for what does not stand at the beginning of a line."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _body(answer: Answer, words: Words) -> Iterator[str]:
    if answer.presence is not None and not (answer.abstained and answer.reason == "not_mentioned"):
        said = answer.presence.wording(words.lang)
        yield from (f"**{escaped(said.statement)}**", *map(escaped, said.remarks))
    if answer.abstained:
        yield escaped(abstained_sentence(answer, words))
        return
    numbers = {identity(c): n for n, c in enumerate(answer.citations, start=1)}
    for sentence in answer.sentences:
        unsure = "" if sentence.verified else f" **({_inside(check_said(sentence, words))})**"
        yield _numbered(sentence, numbers) + unsure
    yield f"## {words('Sources')}"
    firsts = first_numbers(answer.citations)
    yield "\n".join(_source(c, n, firsts[c.doc_id], words) for n, c in enumerate(answer.citations, start=1))


def _numbered(sentence: AnswerSentence, numbers: Mapping[Identity, int]) -> str:
    """The sentence with each number right behind what its citation bears out."""
    said = ""
    for piece, own in sentence.pieces(numbers):
        said += (" " if piece[:1].isspace() else "") + _inside(piece) if said else escaped(piece)
        said += f" {''.join(f'[{n}]' for n in own)}" if own else ""
    return said


def _source(citation: Citation, n: int, first: int, words: Words) -> str:
    page = words(" Page {page}.", page=citation.page) if citation.page is not None else ""
    if first == n:
        said = escaped(reference(citation.title or citation.doc_id, citation.bibliography, citation.time))
        links = "".join(f" {link}." for link in _links(citation.bibliography))
        head = f"{said}{links}{page} `{one_line(citation.doc_id).replace('`', '')}`"
    else:
        head = words("As [{first}]", first=first).replace("[", "\\[").replace("]", "\\]") + f".{page}"
    return f"{n}. {head}\n   > {escaped(citation.quote)}"


def _links(found: Bibliography) -> Iterator[str]:
    if found.doi:
        yield f"doi:[{_inside(found.doi)}](https://doi.org/{quote(found.doi, safe='/:;.-')})"
    if found.pmid:
        yield f"PMID [{found.pmid}](https://pubmed.ncbi.nlm.nih.gov/{found.pmid}/)"
    if found.url and not found.doi:
        yield f"<{one_line(found.url)}>"


def _conflicts(answer: Answer, words: Words) -> Iterator[str]:
    for row in answer.conflicts:
        sentence = answer.sentences[int(row["sentence"]) - 1]
        own = sentence.citations[0].to_dict()
        sides = "\n".join(f"- {escaped(side(s))}: {escaped(str(s['quote']))}" for s in (own, row))
        yield f"{escaped(words.told(str(row['why'])))}:\n\n{sides}"
