"""Any server with an OpenAI-compatible `/embeddings`, described by a folder with `endpoint.json`.

**Note text leaves this process for the url in that file, and goes nowhere else** (see `http_json`). Keys of the file:
`url` and `model`; optional `dimensions` (checked in every answer, and asked for with `"send_dimensions": true`),
`max_tokens` (512), `query_prefix`, `passage_prefix`, `batch_tokens` (8,000), `timeout_s`, `retries`, `plain_http`, and
`revision`, any text: the weights behind a name cannot be seen, so change it when they change. A server on another
machine also needs `"sends_real_text": true`: passages and questions go there as they are. With a `tokenizer.json`
beside it tokens are counted exactly, else guessed. A text over `max_tokens` is cut here, and counted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import EndpointFailed, ModelMissing, ModelRefused
from chartcite.core.neural import EncodedPassage, EncodedQuery
from chartcite.models.files import sha256_of
from chartcite.models.folder_settings import read_json
from chartcite.models.http_json import Endpoint, TooMuch
from chartcite.models.token_counter import GuessingCounter, TokenizerCounter, fit
from chartcite.models.vectors import no_tokens, unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TAKES_KEY = True
_FILE = "endpoint.json"
_NOTHING = "."  # what stands for an empty text, which servers refuse


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """What `endpoint.json` says."""

    url: str
    model: str
    dimensions: int = 0
    send_dimensions: bool = False
    max_tokens: int = 512
    query_prefix: str = ""
    passage_prefix: str = ""
    batch_tokens: int = 8000
    timeout_s: float = 60.0
    retries: int = 4
    plain_http: bool = False
    revision: str = ""
    sends_real_text: bool = False


class EndpointEncoder:
    """A server's vectors. Several threads may ask at once; how reproducible the bytes are is up to the server."""

    token_dims = 0

    def __init__(self, settings: EndpointSettings, endpoint: Endpoint, tokenizer: Path | None) -> None:
        self.name = f"openai:{settings.model.replace('@', '-')}"
        self.settings = settings
        self.is_remote = endpoint.is_remote
        self._endpoint = endpoint
        self._counter = TokenizerCounter(tokenizer) if tokenizer else GuessingCounter()
        prefix = len(self._counter.offsets([settings.passage_prefix])[0])
        self.max_tokens = settings.max_tokens - self._counter.special_tokens - prefix
        if self.max_tokens < 1:
            raise ModelRefused(f"{self.name} has no room for text beside its prefix.", "Raise max_tokens.")
        self.batch_tokens = settings.batch_tokens
        shaping = {k: v for k, v in asdict(settings).items() if k in _SHAPING}
        parts = [json.dumps(shaping, sort_keys=True), sha256_of(tokenizer) if tokenizer else "guessed"]
        self.fingerprint = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        self.dims = settings.dimensions or len(self._ask([_NOTHING])[0])

    def encode_passage(self, text: str) -> EncodedPassage:
        """One passage, one request."""
        return self.encode_passages([text])[0]

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        """Several passages in one request, or in halves where the server takes less."""
        fitted = [fit(text, self.max_tokens, self._counter) for text in texts]
        vectors = self._vectors([self.settings.passage_prefix + text for text, _ in fitted])
        return [EncodedPassage(vector, no_tokens(), cut) for vector, (_, cut) in zip(vectors, fitted, strict=True)]

    def encode_query(self, text: str) -> EncodedQuery:
        """One query with the model's prefix."""
        import numpy as np  # noqa: PLC0415

        fitted, cut = fit(text, self.max_tokens, self._counter)
        vector = self._vectors([self.settings.query_prefix + fitted])[0]
        return EncodedQuery(vector, np.zeros((0, 0), np.float32), cut)

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Character offsets of the tokens of each text, special tokens left out."""
        return self._counter.offsets(texts)

    def _vectors(self, texts: list[str]) -> list[NDArray[np.float32]]:
        rows = self._ask([text if text.strip() else _NOTHING for text in texts])
        if any(len(row) != self.dims for row in rows):
            raise EndpointFailed(
                f"The endpoint gives vectors of another width than {self.dims}.", "Check model and dimensions."
            )
        return [unit(row, self.name) for row in rows]

    def _ask(self, texts: list[str]) -> list[list[float]]:
        body: dict[str, Any] = {"model": self.settings.model, "input": texts, "encoding_format": "float"}
        if self.settings.send_dimensions and self.settings.dimensions:
            body["dimensions"] = self.settings.dimensions
        try:
            answer = self._endpoint.post("/embeddings", body)
        except TooMuch:
            if len(texts) == 1:
                raise
            half = len(texts) // 2
            return self._ask(texts[:half]) + self._ask(texts[half:])
        return _rows(answer, len(texts))


_SHAPING = frozenset(
    {"model", "dimensions", "send_dimensions", "max_tokens", "query_prefix", "passage_prefix", "revision"}
)


def _rows(answer: Any, wanted: int) -> list[list[float]]:
    """The vectors of an answer in the order of the texts."""
    try:
        found = {int(item["index"]): [float(x) for x in item["embedding"]] for item in answer["data"]}
        rows = [found[i] for i in range(wanted)]
    except (KeyError, TypeError, ValueError) as error:
        raise EndpointFailed(
            "The endpoint's answer holds no vector for each text.", "Is the url that of an OpenAI-compatible API?"
        ) from error
    if len(found) != wanted or not all(rows):
        raise EndpointFailed("The endpoint's answer holds another number of vectors.", "Try another server.")
    return rows


def load(folder: Path, key: str = "") -> EndpointEncoder:
    """The endpoint that a folder describes. Without `dimensions` it is asked for the vector of a full stop.

    Args:
        folder: holds `endpoint.json`, and `tokenizer.json` if there is one.
        key: sent as a bearer token; never shown and never stored.

    Raises:
        ModelMissing: the folder or the file is not there.
        ModelRefused: the file or its url cannot be used.
        EndpointFailed: it had to be asked, and did not answer.
    """
    path = folder / _FILE
    if not path.is_file():
        raise ModelMissing(f"There is no {_FILE} in {folder}.", 'Write one: {"url": "http://...", "model": "..."}.')
    settings = _settings(path)
    endpoint = Endpoint(settings.url, key, settings.timeout_s, settings.retries, settings.plain_http)
    endpoint.check()
    if endpoint.is_remote and not settings.sends_real_text:
        raise ModelRefused(
            "The embeddings server is on another machine, and passages would go there with names and dates in them.",
            f"Name one on this machine, or write sends_real_text = true into {_FILE} if they may.",
        )
    tokenizer = folder / "tokenizer.json"
    return EndpointEncoder(settings, endpoint, tokenizer if tokenizer.is_file() else None)


def _settings(path: Path) -> EndpointSettings:
    advice = f"Known keys: {', '.join(EndpointSettings.__slots__)}."
    try:
        settings = EndpointSettings(**read_json(path))
    except TypeError as error:
        raise ModelRefused(f"{path} cannot be used.", advice) from error
    kinds = EndpointSettings("", "")
    for name, value in asdict(settings).items():
        kind = type(getattr(kinds, name))
        fits = type(value) is kind or (kind is float and type(value) is int)
        if not fits or (kind in (int, float) and value < 0):
            raise ModelRefused(f"{path}: {name} is of the wrong kind.", advice)
    if not settings.model or settings.batch_tokens < 1 or settings.timeout_s <= 0:
        raise ModelRefused(f"{path}: model, batch_tokens and timeout_s must not be empty or zero.", advice)
    return settings
