"""Settings: everything that may change an answer, with its default. Where a value came from is the door's business."""

from __future__ import annotations

import hashlib
import json
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from chartcite import __version__
from chartcite.core.errors import NotConfigured

_OF_THE_MODEL = {
    "interpret_by", "score_by", "write_by", "align_by", "choose_by", "span_by", "plain_by", "prompt_examples",
    "writer_temperature", "score_most", "votes", "votes_needed", "vote_temperature", "writer_sees_record", "drafts",
}  # fmt: skip
"""Settings that shape nothing without `writer_url`."""


class Settings(BaseModel):
    """All settings of a store's use. An encoder or reranker is a name, or `onnx_folder:/path/to/model`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    language: Literal["auto", "en", "pt"] = Field(
        default="auto", description="language of the lexical analyser: auto is that of each passage"
    )
    output_language: Literal["auto", "en", "pt"] = Field(
        default="auto", description="language of what people are told: auto is that of the question, else English"
    )
    splitter: str = Field(
        default="sentences", description="how documents become passages: sentences, fixed or fixed:TOKENS-OVERLAP"
    )
    encoder: str = Field(default="bge_small_en", description="dense encoder: a name, or NAME:PATH (docs/models.md)")
    encoder_key: SecretStr = Field(
        default=SecretStr(""), description="key of an openai_embeddings endpoint; give it as CHARTCITE_ENCODER_KEY"
    )
    sparse: str = Field(
        default="", description="learned sparse encoder: empty (none), or onnx_folder:PATH (docs/models.md)"
    )
    reranker: str = Field(default="minilm_l12", description="cross-encoder: a name, or onnx_folder:PATH")
    grounder: str = Field(default="", description="model that judges claims: empty (bundled), or onnx_folder:PATH")
    grounder_threshold: float = Field(
        default=0.5, ge=0, le=1, description="probability from which your own grounder counts as support"
    )
    method: str = Field(
        default="hybrid",
        description="retrieval: lexical, dense, sparse, hybrid, neighbours, hierarchical or full_context",
    )
    rerank: Literal["fused", "cross", "none"] = Field(default="fused", description="what reorders the first stage")
    top_k: int = Field(default=20, ge=1, le=1000, description="passages kept for the evidence stage")
    fusion: Literal["rrf", "convex"] = Field(
        default="convex", description="how lists are fused: by reciprocal ranks, or by a convex combination of scores"
    )
    rrf_k: int = Field(default=60, ge=1, description="constant of reciprocal rank fusion")
    lexical_weight: float = Field(default=1.0, ge=0, le=100, description="weight of the lexical list in the fusion")
    dense_weight: float = Field(default=1.0, ge=0, le=100, description="weight of the dense list in the fusion")
    sparse_weight: float = Field(default=1.0, ge=0, le=100, description="weight of the sparse list in the fusion")
    late_weight: float = Field(default=2.0, ge=0, le=100, description="weight of the late interaction in the fusion")
    parents: int = Field(default=5, ge=1, le=1000, description="whole notes that hierarchical retrieval takes in")
    neighbours: int = Field(default=1, ge=0, le=100, description="passages before and after a hit, for neighbours")
    max_tokens: int = Field(
        default=0, ge=0, description="token budget of full_context, hierarchical and neighbours; 0: none"
    )
    synonym_weight: float = Field(
        default=0.4, ge=0, le=1,
        description="weight of abbreviations, brand and generic names and synonyms in a lexical query; 0: not searched",
    )  # fmt: skip
    bm25_k1: float = Field(default=1.2, ge=0, description="BM25 term saturation")
    bm25_b: float = Field(default=0.75, ge=0, le=1, description="BM25 length normalisation")
    writer_url: str = Field(
        default="",
        description="OpenAI-compatible endpoint that writes answers, as http://127.0.0.1:8080/v1; empty: rules",
    )
    interpret_by: Literal["rules", "llm"] = Field(default="rules", description="who interprets the question")
    score_by: Literal["rules", "llm"] = Field(default="rules", description="who grades the sentences 1-5")
    write_by: Literal["llm", "rules"] = Field(
        default="llm", description="who writes the answer: llm (once writer_url is set) or rules"
    )
    align_by: Literal["rules", "llm"] = Field(default="rules", description="who links answer sentences to evidence")
    choose_by: Literal["rules", "llm"] = Field(default="rules", description="who chooses among options")
    span_by: Literal["rules", "llm"] = Field(default="rules", description="who cuts the span that answers")
    plain_by: Literal["rules", "llm"] = Field(default="rules", description="who finds plain words for a patient")
    query_from: Literal["both", "interpreted", "raw"] = Field(
        default="both", description="what is searched and shown to a model: the query, the person's own words, or both"
    )
    prompt_examples: int = Field(default=3, ge=0, le=3, description="invented examples in each prompt of a model")
    writer_sees_record: bool = Field(
        default=False, description="show the writer the notes around the evidence too, for understanding only"
    )
    drafts: int = Field(
        default=0, ge=0, le=9, description="drafts whose sources become the evidence before the answer is written"
    )
    votes: int = Field(default=1, ge=1, le=9, description="how often a model is asked for the links of an answer")
    votes_needed: int = Field(default=1, ge=1, le=9, description="runs that must have a link; at most votes")
    vote_temperature: float = Field(default=0.7, ge=0, le=2, description="temperature of runs that vote")
    score_most: int = Field(default=200, ge=1, le=2000, description="sentences that a model grades for one question")
    writer_temperature: float = Field(default=0.0, ge=0, le=2, description="temperature of the writer's model")
    writer_model: str = Field(default="", description="name of the writer's model at its endpoint")
    writer_context: int = Field(default=4096, ge=512, description="tokens of the writer's prompt and reply together")
    writer_timeout: float = Field(default=120.0, gt=0, le=86_400, description="seconds to wait for one reply")
    writer_think_tokens: int = Field(
        default=0, ge=0, le=1_000_000, description="tokens that a reasoning model may think beside its reply"
    )
    writer_stall: float = Field(
        default=60.0, gt=0, le=86_400, description="seconds of silence that end a reply once it has begun"
    )
    writer_key: SecretStr = Field(
        default=SecretStr(""), description="bearer token of the writer's endpoint; best given as CHARTCITE_WRITER_KEY"
    )
    writer_is_remote: bool = Field(
        default=False, description="the writer's server is on this machine and passes text on to another (a gateway)"
    )
    judge_url: str = Field(default="", description="endpoint of a model that judges each sentence shown; empty: none")
    judge_model: str = Field(default="", description="name of the judge's model; not the writer's")
    judge_key: SecretStr = Field(
        default=SecretStr(""), description="bearer token of the judge's endpoint; best given as CHARTCITE_JUDGE_KEY"
    )
    judge_is_remote: bool = Field(default=False, description="the same of the judge's server")
    judge_calibration: str = Field(
        default="", description="the judge's record, a file that `lab calibrate-judge` wrote; empty: uncalibrated"
    )
    judge_may_be_writer: bool = Field(default=False, description="let the writer's own model be the judge")
    llm_calls_limit: int = Field(default=0, ge=0, description="most calls of models for one question; 0: no limit")
    llm_tokens_limit: int = Field(
        default=0, ge=0, description="no more calls for a question once prompts and replies had so many tokens; 0: none"
    )
    llm_seconds_limit: float = Field(
        default=600.0, ge=0, le=86_400, description="seconds that a question may spend on models; 0: no limit"
    )
    llm_parallel: int = Field(default=1, ge=1, le=64, description="calls of one stage that may be under way at a time")
    reply_cache: bool = Field(default=True, description="keep the replies of models in the store, with their patient")
    allow_remote: bool = Field(
        default=False,
        description="whether record text may go to a writer or judge elsewhere; encoders are told in endpoint.json",
    )
    deidentify: Literal["remote", "always", "off"] = Field(
        default="remote",
        description="which endpoints get surrogates for names, dates and identifiers: remote ones, all, or none (off)",
    )
    answer_words: int = Field(default=75, ge=5, le=1000, description="most words of an answer")
    order: Literal["time", "rank"] = Field(default="time", description="order of the answer's sentences")
    per_document: int = Field(
        default=1, ge=0, description="collections: sentences of one document before others get their turn; 0: no turns"
    )
    over_time: bool = Field(
        default=True, description="whether questions about time are answered from the timeline, or as any other"
    )
    skip_retrieval_sentences: int = Field(
        default=64, ge=0, description="records of at most so many sentences are read whole"
    )
    jobs: int = Field(default=0, ge=0, description="encoder threads, or workers of compute; 0: one a core")
    compute: Literal["local", "ray"] = Field(
        default="local", description="who encodes and runs experiments: this process, or workers on Ray (docs/ray.md)"
    )
    ray_address: str = Field(
        default="", description="HOST:PORT of a Ray cluster; empty: workers on this machine, on loopback"
    )
    keep_originals_mb: int = Field(
        default=20,
        ge=0,
        description="PDFs and images up to this size are kept in the store, to show their pages; 0: none",
    )
    large_passages: int = Field(
        default=200_000, ge=0, description="a partition of more passages is searched in files beside the store"
    )
    index: Literal["embedded", "opensearch"] = Field(
        default="embedded", description="what searches: arrays of the store, or a cluster (docs/cluster.md)"
    )
    index_from: int = Field(
        default=0, ge=0, description="with a cluster: partitions of fewer passages are searched in arrays all the same"
    )
    opensearch_url: str = Field(default="", description="nodes of the cluster, with commas: https://HOST:9200")
    opensearch_user: str = Field(default="", description="user of the cluster; empty: none")
    opensearch_password: SecretStr = Field(
        default=SecretStr(""), description="its password; best given as CHARTCITE_OPENSEARCH_PASSWORD"
    )
    opensearch_ca: str = Field(default="", description="file with the authority of the nodes' certificates")
    opensearch_prefix: str = Field(
        default="chartcite",
        pattern=r"^[a-z0-9][a-z0-9.-]{0,60}$",
        description="what the names of this store's indexes begin with; no two stores share one",
    )
    opensearch_shards: int = Field(default=3, ge=1, le=1024, description="shards of an index that is made")
    opensearch_replicas: int = Field(default=1, ge=0, le=10, description="copies of each shard beside itself")
    cache_mb: int = Field(default=512, ge=0, description="memory for the arrays of open partitions")
    audit_key: str = Field(
        default="", description="file with the key of the store's audit trail, made if need be; empty: no trail"
    )
    ocr: str = Field(
        default="off", description="engine that reads pages without text: off, or rapidocr (extra ocr; docs/ocr.md)"
    )
    ocr_seconds_per_page: float = Field(default=60.0, gt=0, description="limit for reading one page by OCR")
    ocr_pages_per_file: int = Field(default=200, ge=1, description="most pages of a file that are read by OCR")
    max_seconds_per_file: float = Field(default=20.0, gt=0, description="limit for parsing one hostile file")
    max_mb_per_file: int = Field(default=512, gt=0, description="limit for parsing one hostile file, above idle")

    @field_validator("writer_url", "judge_url")
    @classmethod
    def _has_no_login(cls, url: str) -> str:
        """Settings are printed and stored with answers and runs; a login would be as well."""
        if "@" in url:
            raise ValueError("holds a login, or an @; give a key as CHARTCITE_WRITER_KEY or CHARTCITE_JUDGE_KEY")
        return url

    @field_validator("opensearch_url")
    @classmethod
    def _has_no_user(cls, url: str) -> str:
        """The same of a cluster."""
        if "@" in url:
            raise ValueError("holds a login, or an @; name the user in opensearch_user")
        return url

    @model_validator(mode="after")
    def _votes_are_enough(self) -> Settings:
        if self.votes_needed > self.votes:
            raise ValueError("votes_needed is more than votes")
        return self

    @property
    def llm_stages(self) -> frozenset[str]:
        """The stages that a model does; none without an endpoint.

        Raises:
            NotConfigured: a stage was given to a model, and there is none.
        """
        said = {
            "interpret": self.interpret_by, "score": self.score_by, "write": self.write_by, "align": self.align_by,
            "choose": self.choose_by, "span": self.span_by, "plain": self.plain_by,
        }  # fmt: skip
        found = frozenset(stage for stage, by in said.items() if by == "llm")
        if self.writer_url:
            return found
        for stage in sorted(found - {"write"}):
            raise NotConfigured(f"{stage}_by = llm needs a model.", "Set writer_url and writer_model.")
        return frozenset()

    def answer_hash(self, recipe: dict[str, str]) -> str:
        """A hash of all that shapes an answer: settings, recipe, models, version. Threads and limits are left out."""
        limits = {
            "jobs", "compute", "ray_address",
            "cache_mb", "keep_originals_mb", "max_seconds_per_file", "max_mb_per_file", "writer_timeout",
            "writer_stall",
            "ocr", "ocr_seconds_per_page", "ocr_pages_per_file",  # shape the store, which an answer names by its state
            "llm_seconds_limit", "llm_parallel", "reply_cache", "output_language", "audit_key",
            # Where a partition is searched changes no answer.
            "index", "index_from", "opensearch_url", "opensearch_user", "opensearch_password", "opensearch_ca",
            "opensearch_prefix", "opensearch_shards", "opensearch_replicas",
        }  # fmt: skip
        unused = set() if self.sparse else {"sparse", "sparse_weight"}  # so that the hash is that of before they were
        if not (self.writer_url or self.judge_url):
            unused |= {"llm_calls_limit", "llm_tokens_limit", "writer_think_tokens", "deidentify"}
        unused |= set() if self.writer_url else _OF_THE_MODEL
        unused |= {"judge_calibration"}  # a path: the recipe has the hash of what is there
        unused |= {name for name in ("writer_is_remote", "judge_is_remote") if not getattr(self, name)}
        unused |= {"query_from"} if self.query_from == "both" else set()
        unused |= {"over_time"} if self.over_time else set()
        shaping = self.model_dump(exclude=limits | unused | {"encoder_key", "writer_key", "judge_key"})
        content = json.dumps([__version__, shaping, recipe], sort_keys=True)
        return "sha256:" + hashlib.sha256(content.encode()).hexdigest()
