"""For every test: nothing leaves this machine, no chance and no clock decides.

For many: a small deterministic encoder, and stores made quickly.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from chartcite.core.documents import Document, Provenance
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.core.scope import Scope
from chartcite.core.stored import DerivedText, PreparedDocument, Recipe
from chartcite.core.time import When
from chartcite.ingest.prepare import Kitchen, draft, fingerprint, term_counts
from chartcite.store.store import Store
from chartcite.text.analyser import Analyser
from chartcite.text.splitters.sentences import SentenceSplitter

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOOPBACK = ("127.", "::1", "localhost")

# Properties are tried on the same examples in every run, however busy the machine is;
# HYPOTHESIS_PROFILE=default tries others.
settings.register_profile("same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


class ConnectionRefusedByTests(OSError):
    """Something tried to leave the machine."""


def _refuse_foreign_sockets(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event in ("socket.connect", "socket.sendto", "socket.bind") and isinstance(args[1], tuple):
        host = args[1][0]
    else:
        return
    name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
    if not name.startswith(LOOPBACK):
        raise ConnectionRefusedByTests(f"tests may not reach {name!r}")


sys.addaudithook(_refuse_foreign_sockets)  # stays for the whole run; nothing can take it away


@cache
def _word_vector(word: str, dims: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(dims).astype(np.float32)


class FakeEncoder:
    """Vectors from the hashes of words: similar words, similar texts. `fails_on` makes a text an engine's failure."""

    name = "fake"
    dims = 24
    token_dims = 8
    max_tokens = 510

    def __init__(self, fingerprint: str = "1", fails_on: str = "") -> None:
        self.fingerprint = fingerprint
        self.fails_on = fails_on
        self.texts: list[str] = []

    def encode_passage(self, text: str) -> EncodedPassage:
        if self.fails_on and self.fails_on in text:
            raise RuntimeError(f"the engine quotes the text: {text}")
        self.texts.append(text)
        return EncodedPassage(self._vector(text), np.rint(self._tokens(text) * 100).astype(np.int8))

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(self._vector(text), self._tokens(text) / np.float32(100))

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[m.span() for m in re.finditer(r"\w+|[^\w\s]", text)] for text in texts]

    def _words(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.lower()) or [""]

    def _vector(self, text: str) -> NDArray[np.float32]:
        total = np.sum([_word_vector(w, self.dims) for w in self._words(text)], axis=0)
        return np.asarray(total / max(float(np.linalg.norm(total)), 1e-12), np.float32)

    def _tokens(self, text: str) -> NDArray[np.float32]:
        rows = np.stack([_word_vector(w, self.token_dims) for w in self._words(text)])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@pytest.fixture
def fake_encoder() -> FakeEncoder:
    return FakeEncoder()


def kitchen_of(encoder: FakeEncoder) -> Kitchen:
    """The default splitter and analyser with the fake encoder."""
    splitter, analyser = SentenceSplitter(), Analyser("en")
    recipe = Recipe(splitter.name, analyser.name, f"{encoder.name}@{encoder.fingerprint}")
    return Kitchen(recipe, splitter, analyser.terms, encoder)


@pytest.fixture
def kitchen(fake_encoder: FakeEncoder) -> Kitchen:
    return kitchen_of(fake_encoder)


def note(doc_id: str, text: str, time: str = "", **fields: Any) -> Document:
    """A document as a reader would hand it over; its source bears its name."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    source = fields.pop("source", Provenance(f"{doc_id}.txt", digest, "text"))
    return Document(doc_id=doc_id, text=text, source=source, time=When.parse(time) if time else None, **fields)


MakeNote = Callable[..., Document]


@pytest.fixture(name="make_note")
def make_note_fixture() -> MakeNote:
    return note


class Shelf:
    """A store, with the shortest way to put documents into it and to look at all of it."""

    def __init__(self, store: Store, kitchen: Kitchen) -> None:
        self.store = store
        self.kitchen = kitchen
        self.run = "run-1"

    @property
    def recipe(self) -> Recipe:
        return self.kitchen.recipe

    def prepare(self, scope: Scope, document: Document, origin: str = "") -> PreparedDocument:
        """All that ingest would derive, vectors of known texts left out."""
        made = draft(document, self.kitchen)
        missing = self.store.writer(self.run).missing(scope, made.digests, self.recipe)
        texts = [
            DerivedText(
                digest, term_counts(text, self.kitchen),
                self.kitchen.encoder.encode_passage(text) if digest in missing else None,
            )
            for digest, text in zip(made.digests, made.texts, strict=True)
        ]  # fmt: skip
        return PreparedDocument(document, fingerprint(document), made.sentences, made.passages, texts, origin)

    def put(self, patient: str | Scope, *documents: Document, origin: str = "") -> list[str]:
        """Commit documents; the outcomes."""
        scope = Scope.patient(patient) if isinstance(patient, str) else patient
        writer = self.store.writer(self.run)
        return [writer.commit(scope, self.prepare(scope, d, origin), self.recipe) for d in documents]

    def rows(self, sql: str, *args: object) -> list[tuple[Any, ...]]:
        """Any query, for looking behind the port."""
        return list(self.store._connection.execute(sql, args))

    def dump(self) -> list[tuple[Any, ...]]:
        """Everything that is stored, without the store's own numbers and the names of runs."""
        return dump(self.store)


_DUMPS = (
    "SELECT kind, name, seq FROM partitions ORDER BY 1, 2",
    "SELECT p.kind, p.name, d.doc_id, d.text, d.sha256, d.fingerprint, d.time, d.sort_key, d.status, d.source_name,"
    " d.origin FROM documents d JOIN partitions p ON p.id = d.partition ORDER BY 1, 2, 3",
    "SELECT d.doc_id, r.doc_id FROM replacements r JOIN documents d ON d.id = r.document ORDER BY 1, 2",
    "SELECT p.name, d.doc_id, s.n, s.start, s.end, s.kind, s.section FROM sentences s JOIN documents d"
    " ON d.id = s.document JOIN partitions p ON p.id = d.partition ORDER BY 1, 2, 3",
    "SELECT p.name, d.doc_id, s.splitter, s.n, s.start, s.end, t.sha256 FROM passages s JOIN documents d"
    " ON d.id = s.document JOIN texts t ON t.id = s.text JOIN partitions p ON p.id = d.partition ORDER BY 1, 2, 3, 4",
    "SELECT p.name, t.sha256, v.encoder, v.vector FROM vectors v JOIN texts t ON t.id = v.text"
    " JOIN partitions p ON p.id = t.partition ORDER BY 1, 2, 3",
    "SELECT p.name, t.sha256, v.encoder, v.codes FROM token_vectors v JOIN texts t ON t.id = v.text"
    " JOIN partitions p ON p.id = t.partition ORDER BY 1, 2, 3",
    "SELECT p.name, t.sha256 FROM texts t JOIN partitions p ON p.id = t.partition ORDER BY 1, 2",
    "SELECT name, target, sha256, settings, documents FROM sources ORDER BY 1, 2",
)
_POSTINGS = (
    "SELECT p.name, t.sha256, o.analyser, o.terms, o.counts FROM postings o JOIN texts t ON t.id = o.text"
    " JOIN partitions p ON p.id = t.partition ORDER BY 1, 2, 3"
)


def dump(store: Store) -> list[tuple[Any, ...]]:
    """See `Shelf.dump`. Postings are shown as words."""
    connection = store._connection
    rows = [row for sql in _DUMPS for row in connection.execute(sql)]
    words = dict(connection.execute("SELECT id, term FROM terms"))
    for name, digest, analyser, terms, counts in connection.execute(_POSTINGS):
        numbers, amounts = np.frombuffer(terms, np.int64), np.frombuffer(counts, np.uint16)
        pairs = sorted((words[int(n)], int(c)) for n, c in zip(numbers, amounts, strict=True))
        rows.append((name, digest, analyser, tuple(pairs)))
    return rows


OpenShelf = Callable[..., Shelf]


@pytest.fixture
def open_shelf(tmp_path: Path, kitchen: Kitchen) -> Iterator[OpenShelf]:
    """Open stores by name; all are closed at the end."""
    opened: list[Store] = []

    def go(name: str = "store", own_kitchen: Kitchen | None = None, busy_seconds: float = 10.0) -> Shelf:
        store = Store(tmp_path / name, create=True, busy_seconds=busy_seconds)
        opened.append(store)
        return Shelf(store, own_kitchen or kitchen)

    yield go
    for store in opened:
        store.close()


@pytest.fixture
def shelf(open_shelf: OpenShelf) -> Shelf:
    return open_shelf()
