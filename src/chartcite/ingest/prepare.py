"""From a document to all that is derived from it, vectors left to the pool."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from chartcite.core.documents import Bibliography, Document, Passage, Sentence
from chartcite.core.errors import CorruptSource, EmptySource
from chartcite.core.neural import Encoder, SparseEncoder
from chartcite.core.scope import Scope
from chartcite.core.stored import Recipe
from chartcite.core.unseen import seen
from chartcite.facts.language import document_language
from chartcite.text.boilerplate import is_no_evidence
from chartcite.text.splitters import Splitter, TokenCounter
from chartcite.text.stated import units_of

_KEPT_TEXTS = 4_000
_KEPT_CHARS = 300


class RememberedTokens:
    """Token offsets of a partition's short texts, kept for a while: most sentences of a long record are copies.

    Bounded, and apart for each partition: what one record holds must not show in another's time.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._kept: dict[Scope, dict[str, list[tuple[int, int]]]] = {}
        self._size = 0

    def of(self, scope: Scope) -> TokenCounter:
        """The counter for one partition."""
        return _Remembering(self, self._kept.setdefault(scope, {}))

    def look_up(self, texts: Sequence[str], kept: dict[str, list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
        """The encoder's offsets, asked for at most once a batch and text."""
        found = {text: kept[text] for text in texts if text in kept}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        found.update(zip(new, self._encoder.offsets(new) if new else [], strict=True))
        short = [text for text in new if len(text) <= _KEPT_CHARS]
        if self._size + len(short) > _KEPT_TEXTS:
            for held in self._kept.values():
                held.clear()
            self._kept = {scope: held for scope, held in self._kept.items() if held is kept}
            self._size = 0
        kept.update((text, found[text]) for text in short)
        self._size += len(short)
        return [found[text] for text in texts]


@dataclass(frozen=True, slots=True)
class _Remembering:
    memory: RememberedTokens
    kept: dict[str, list[tuple[int, int]]]

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """As the port says."""
        return self.memory.look_up(texts, self.kept)


@dataclass(frozen=True, slots=True)
class Kitchen:
    """What preparing needs: the recipe's names and the things they stand for."""

    recipe: Recipe
    splitter: Splitter
    analyse: Callable[[str], Sequence[str]]
    encoder: Encoder
    sparse: SparseEncoder | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A document before its vectors. `digests[i]`, `texts[i]` and `counts[i]` belong to `passages[i]`."""

    sentences: tuple[Sentence, ...]
    passages: tuple[Passage, ...]
    texts: tuple[str, ...]
    digests: tuple[bytes, ...]


def in_its_language(document: Document) -> Document:
    """The document with the language of its text, where its source states none."""
    return document if document.lang else replace(document, lang=document_language(seen(document.text)))


def fingerprint(document: Document) -> str:
    """SHA-256 over the text and everything else a citation or a filter may show; not over where it was read from."""
    d = document
    parts = [
        d.doc_id, d.text, d.title, d.note_type, d.time.text if d.time else None, d.author, d.lang, d.status,
        sorted(d.replaces), d.encounter_id, d.pages, d.hidden,
        [d.bibliography.authors, d.bibliography.year, d.bibliography.doi, d.bibliography.pmid, *_link(d.bibliography)],
        *([d.units] if d.units else []),  # else the mark of before `units`
        *(["running", d.running] if d.running else []),
        *(["words", d.words.digest()] if d.words else []),  # else that of before `words`
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _link(bibliography: Bibliography) -> list[str]:
    return [bibliography.url] if bibliography.url else []  # else the mark of before `url`


def draft(document: Document, kitchen: Kitchen, tokens: TokenCounter | None = None) -> Draft:
    """Split a document into sentences and passages. What a reader of the page cannot see is in neither.

    Boilerplate is a sentence and in no passage, unless there is nothing else.

    `tokens` counts tokens, by default the encoder itself.

    Raises:
        EmptySource: no visible text.
        CorruptSource: code points that no encoding can carry; units that lie outside the text or in each other.
    """
    text = document.text
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise CorruptSource("The text holds lone surrogates.", "Export it again in UTF-8.") from error
    sentences = units_of(text, document.units)
    runs = _visible(sentences, document)
    if not any(runs):
        raise EmptySource("There is no visible text in the document.", "If it is a scan, it needs OCR.")
    passages: list[Passage] = []
    for run in _stating(text, runs):
        for p in kitchen.splitter.split(text, run, tokens or kitchen.encoder):
            passages.append(Passage(len(passages) + 1, p.start, p.end))
    texts = tuple(text[p.start : p.end] for p in passages)
    digests = tuple(hashlib.sha256(t.encode()).digest() for t in texts)
    kept = tuple(s for run in runs for s in run)
    return Draft(kept, tuple(passages), texts, digests)


def term_counts(text: str, kitchen: Kitchen) -> Counter[str]:
    """How often each of the analyser's terms occurs."""
    return Counter(kitchen.analyse(text))


def _visible(sentences: Sequence[Sentence], document: Document) -> list[list[Sentence]]:
    """Runs of sentences between what is no evidence; a sentence that touches one is left out whole."""
    hidden = sorted((*document.hidden, *document.running))
    starts = [start for start, _ in hidden]
    reach = list(accumulate((end for _, end in hidden), max))  # the furthest end of all spans up to here
    runs: list[list[Sentence]] = [[]]
    for sentence in sentences:
        before = bisect_left(starts, sentence.end)  # so many spans start before it ends
        if before and reach[before - 1] > sentence.start:
            if runs[-1]:
                runs.append([])
        else:
            runs[-1].append(sentence)
    return [run for run in runs if run]


def _stating(text: str, runs: list[list[Sentence]]) -> list[list[Sentence]]:
    """The runs cut at boilerplate, without it."""
    kept: list[list[Sentence]] = []
    for run in runs:
        is_open = False
        for sentence in run:
            if is_no_evidence(seen(text[sentence.start : sentence.end])):
                is_open = False
                continue
            if not is_open:
                kept.append([])
            kept[-1].append(sentence)
            is_open = True
    return kept or runs
