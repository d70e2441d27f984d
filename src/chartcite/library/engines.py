"""Engines: what the settings name, loaded when first wanted and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, partial
from inspect import signature
from pathlib import Path
from typing import Any

from chartcite.core.calibration import JudgeCalibration, parse_calibration
from chartcite.core.chat import ChatModel
from chartcite.core.errors import ModelMissing, ModelRefused, UnreadableCalibration, UsageError
from chartcite.core.neural import Encoder, Grounder, Reranker, SparseEncoder
from chartcite.core.stored import Recipe
from chartcite.facts.cognates import Language
from chartcite.facts.language import passage_language, question_language
from chartcite.index.lexical import holding
from chartcite.index.port import SearchIndex
from chartcite.index.sparse import no_sparse_encoder
from chartcite.ingest.prepare import Kitchen
from chartcite.library.registry import find
from chartcite.library.settings import Settings
from chartcite.retrieval.crosslingual import Crossing, crossing
from chartcite.retrieval.method import Method
from chartcite.retrieval.synonyms import terms_in_all
from chartcite.retrieval.unread import is_unread
from chartcite.store.reader import PartitionReader
from chartcite.text.analyser import Analyser
from chartcite.text.mixed import PORTUGUESE, Analyse, MixedAnalyser
from chartcite.text.splitters import Splitter
from chartcite.verification.judge import judge_prompt_hash


class Engines:
    """Models and rules by the names in the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._coming: Future[Reranker] | None = None
        self.heard: Callable[[ChatModel], ChatModel] | None = None
        """Put around each chat model as the stages see it, real text in and out; for whoever notes what was said."""

    @property
    def settings(self) -> Settings:
        """By whose names they are loaded."""
        return self._settings

    def preload(self) -> None:
        """Begin to load the cross-encoder in the background: it is wanted last, and takes as long as the rest."""
        if self._coming is None and "reranker" not in self.__dict__:
            thread = ThreadPoolExecutor(1, thread_name_prefix="load")
            self._coming = thread.submit(_load, "reranker", self._settings.reranker)
            thread.shutdown(wait=False)

    @cached_property
    def encoder(self) -> Encoder:
        """The dense encoder."""
        encoder: Encoder = _load("encoder", self._settings.encoder, self._settings.encoder_key.get_secret_value())
        return encoder

    @cached_property
    def sparse(self) -> SparseEncoder | None:
        """The learned sparse encoder; None where the settings name none."""
        if not self._settings.sparse:
            return None
        sparse: SparseEncoder = _load("sparse", self._settings.sparse)
        return sparse

    @cached_property
    def reranker(self) -> Reranker:
        """The cross-encoder."""
        coming, self._coming = self._coming, None
        reranker: Reranker = coming.result() if coming else _load("reranker", self._settings.reranker)
        return reranker

    @cached_property
    def grounder(self) -> Grounder:
        """The user's own model of inference; only where the settings name one."""
        grounder: Grounder = _load("grounder", self._settings.grounder)
        return grounder

    @cached_property
    def writer(self) -> ChatModel | None:
        """The model that writes answers; None where the settings name no endpoint."""
        s = self._settings
        if not s.writer_url:
            return None
        model: ChatModel = find("llm", "openai_chat").load(
            "writer", s.writer_url, s.writer_model, key=s.writer_key.get_secret_value(),
            context_tokens=s.writer_context, timeout_s=s.writer_timeout, allow_remote=s.allow_remote,
            think_tokens=s.writer_think_tokens, stall_s=s.writer_stall, passes_on=s.writer_is_remote,
        )  # fmt: skip
        return model

    @cached_property
    def judge(self) -> ChatModel | None:
        """The model that judges; None where the settings name no endpoint.

        Raises:
            ModelRefused: it is the writer's own model, and that was not allowed.
        """
        s = self._settings
        if not s.judge_url:
            return None
        same = (s.judge_url, s.judge_model) == (s.writer_url, s.writer_model)
        if same and not s.judge_may_be_writer:
            raise ModelRefused(
                "The judge is the writer's own model.", "Name another, or set judge_may_be_writer = true."
            )
        model: ChatModel = find("llm", "openai_chat").load(
            "judge", s.judge_url, s.judge_model, key=s.judge_key.get_secret_value(), context_tokens=s.writer_context,
            timeout_s=s.writer_timeout, allow_remote=s.allow_remote,
            think_tokens=s.writer_think_tokens, stall_s=s.writer_stall, passes_on=s.judge_is_remote,
        )  # fmt: skip
        return model

    @cached_property
    def judge_record(self) -> JudgeCalibration | None:
        """What the judge was found to be worth; None where there is no judge, or no record is named.

        Raises:
            UnreadableCalibration: the record cannot be read.
        """
        s = self._settings
        if not (s.judge_url and s.judge_calibration):
            return None
        try:
            text = Path(s.judge_calibration).expanduser().read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UnreadableCalibration(
                f"The judge's calibration {s.judge_calibration} cannot be read.",
                "chartcite lab calibrate-judge writes one.",
            ) from error
        return parse_calibration(text)

    @property
    def judged_by(self) -> Mapping[str, str]:
        """What of the judge shapes an answer beside the settings, by their hashes: its prompt, what its record says."""
        if not self._settings.judge_url:
            return {}
        record = self.judge_record
        said = {} if record is None else {"judge_record": hashlib.sha256(record.to_json().encode()).hexdigest()[:16]}
        return {"judge_prompt": judge_prompt_hash(), **said}

    @cached_property
    def splitter(self) -> Splitter:
        """How documents become passages."""
        name, _, sizes = self._settings.splitter.partition(":")
        load = find("splitter", name).load
        if sizes and not signature(load).parameters:
            raise UsageError(f"The splitter {name} takes no sizes.", f"Write {name} alone.")
        splitter: Splitter = load(sizes) if sizes else load()
        return splitter

    @cached_property
    def analyser(self) -> Analyser | MixedAnalyser:
        """The lexical analyser of passages."""
        language = self._settings.language
        return MixedAnalyser(passage_language) if language == "auto" else Analyser(language)

    @property
    def analyse(self) -> Callable[[str], Sequence[str]]:
        """A passage to index terms."""
        return self.analyser.terms

    def readings(self, index: SearchIndex, reader: PartitionReader, question: str = "") -> tuple[Analyse, ...]:
        """Text of a question to index terms, one reading a language of the partition and of the question."""
        analyser, name = self.analyser, index.recipe.analyser
        if not isinstance(analyser, MixedAnalyser):
            return (analyser.terms,)
        if name != analyser.name:
            return (Analyser(name.partition("-")[0]).terms,)
        return analyser.readings(index.size, _portuguese(index, reader), question_language(question))

    def is_unread(self, index: SearchIndex, reader: PartitionReader) -> bool:
        """Whether the encoder does not know the language of most texts of a partition, and lists are fused by default.

        Whoever chose another fusion or reranking has it as chosen.
        """
        s = self._settings
        return (
            s.fusion == "convex"
            and s.rerank == "fused"
            and is_unread(self._share(index, reader), getattr(self.encoder, "languages", ()))
        )

    def _share(self, index: SearchIndex, reader: PartitionReader) -> float:
        """How much of a partition is Portuguese; of one indexed in a fixed language, what was set."""
        if index.recipe.analyser == MixedAnalyser.name:
            return _portuguese(index, reader) / index.size if index.size else 0.0
        return float(index.recipe.analyser.startswith("pt"))

    def across(self, index: SearchIndex, reader: PartitionReader, question: str) -> Crossing | None:
        """From the question's language to that of the partition; None where it is the same."""
        analyser, name = self.analyser, index.recipe.analyser
        languages = getattr(self.encoder, "languages", ())
        asked_in = question_language(question)
        if isinstance(analyser, MixedAnalyser) and name == analyser.name:
            return crossing(asked_in, self._share(index, reader), analyser.by_language, languages)
        if name != analyser.name:
            return None  # indexed before passages had a language
        # Whoever set English may have Portuguese notes all the same: until lately there was no other default.
        stored: Language = "pt" if name.startswith("pt") else "en"
        return crossing(asked_in, 1.0 if stored == "pt" else 0.5, {stored: Analyser(stored).terms}, languages)

    def query_terms(
        self, readings: Sequence[Analyse], across: Crossing | None = None
    ) -> Callable[[str], Mapping[str, float]]:
        """A query to its terms with their weights, other spellings and names in another language among them."""
        weight = self._settings.synonym_weight
        return partial(terms_in_all, readings=readings, synonym_weight=weight, across=across)

    @cached_property
    def method(self) -> Method:
        """The first stage of retrieval, and what it takes in around its hits."""
        found = find_method(self._settings)
        return Method(found.rank, getattr(found, "expand", None))

    @cached_property
    def recipe(self) -> Recipe:
        """The names under which derived rows are stored."""
        encoder = self.encoder
        # The splitter counts with the encoder's tokenizer: under another one it makes other passages.
        splitter = f"{self.splitter.name}@{encoder.fingerprint[:8]}"
        sparse = f"{self.sparse.name}@{self.sparse.fingerprint}" if self.sparse else ""
        return Recipe(splitter, self.analyser.name, f"{encoder.name}@{encoder.fingerprint}", sparse)

    @property
    def kitchen(self) -> Kitchen:
        """What ingest needs."""
        return Kitchen(self.recipe, self.splitter, self.analyse, self.encoder, self.sparse)


def _portuguese(index: SearchIndex, reader: PartitionReader) -> int:
    """How many passages of a partition are marked as Portuguese."""
    return holding(index.idf(reader, [PORTUGUESE])[PORTUGUESE], index.size)


def find_method(settings: Settings) -> Any:
    """What holds the method that the settings name.

    Raises:
        UnknownImplementation: there is none of that name.
        NotConfigured: it searches with a sparse encoder, and none is named.
    """
    found = find("method", settings.method)
    if getattr(found, "NEEDS_SPARSE", False) and not settings.sparse:
        raise no_sparse_encoder()
    return found


def _load(kind: str, setting: str, key: str = "") -> Any:
    """What a setting `NAME` or `NAME:FOLDER` names. The key goes to those that say they take one, to nobody else.

    Raises:
        ModelMissing: a model of one's own without a folder.
    """
    name, _, folder = setting.partition(":")
    module = find(kind, name)
    if not folder:
        if all(parameter.default is not parameter.empty for parameter in signature(module.load).parameters.values()):
            return module.load()
        raise ModelMissing(f"The {kind} {name} needs a folder.", f"Write {name}:PATH.")
    place = Path(folder).expanduser()
    return module.load(place, key) if getattr(module, "TAKES_KEY", False) else module.load(place)
