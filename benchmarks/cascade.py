"""The cascade with stages by a model on the demo records: what becomes of what it says, and what a question costs.

Usage: python benchmarks/cascade.py (--local | --url URL --model NAME) [--questions N] [--stages STAGE...] [--set
       NAME=VALUE...] [--json OUT]

`--local` serves the small model of the tests. The same questions are asked with all stages by the rules. A claim is a
sentence of a reply of the writer, first ones and corrections, each text once a question; it is rejected if it is not
among the sentences shown. `not held`: shown sentences that a second check without any model does not hold; must be 0.
The demo's gold says how many questions each way answers right (benchmarks/demo_gold.py). Intervals are Wilson's over
claims; those of one question are not independent.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from chartcite.cascade.write.llm import fits_sentences
from chartcite.core.answer import Answer
from chartcite.core.chat import ChatModel, ChatReply, ChatRequest
from chartcite.lab.experiment.selection import spaced
from chartcite.lab.statistics.proportion import wilson
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.models.replies import read_json
from demo_gold import GOLD, ingest_demo, judge

STAGES = ("interpret", "score", "write", "align")


@dataclass
class Overheard:
    """A model, and the sentences of its replies as writer."""

    inner: ChatModel
    claims: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name, self.is_remote = self.inner.name, self.inner.is_remote
        self.context_tokens = self.inner.context_tokens

    def chat(self, request: ChatRequest) -> ChatReply:
        reply = self.inner.chat(request)
        if request.stage == "write":
            found = read_json(reply.text, fits_sentences).value
            for sentence in (found.get("sentences") if isinstance(found, dict) else found) or ():
                self.claims.append(" ".join(str(sentence["text"]).split()))
        return reply


@contextmanager
def endpoint(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The url and the name of the model."""
    if not args.local:
        yield args.url, args.model
        return
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    local_model: Any = import_module("local_model")

    if local_model.model_file() is None:
        sys.exit("Skipped: the small model of the tests is not installed (make .venv/dev).")
    with local_model.serving(args.context) as url:
        yield url, local_model.NAME


def asked(book: Book, items: Sequence[dict[str, Any]], heard: Overheard | None) -> dict[str, Any]:
    """Ask all of them, and count."""
    counts: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    fallbacks: Counter[str] = Counter()
    usage: dict[str, Counter[str]] = defaultdict(Counter)
    for item in items:
        answer = book.ask(item["question"], **{k: item[k] for k in ("patient", "collection") if item.get(k)})
        outcomes[judge(item, answer)] += 1
        counts["by model" if answer.writer else "abstained" if answer.abstained else "by rules"] += 1
        fallbacks.update({f["name"]: f["count"] for f in answer.fallbacks})
        counts["not held"] += sum(not r.holds for r in _rechecked(book, answer))
        counts["not verified"] += sum(not s.verified for s in answer.sentences)
        for stage, used in answer.usage.items():
            usage[stage].update(
                calls=used.calls, prompt=used.prompt_tokens or 0, completion=used.completion_tokens or 0
            )
            usage[stage]["ms"] += round(used.seconds * 1000)
        if heard is not None:
            claims = set(heard.claims)
            heard.claims.clear()
            shown = {s.text for s in answer.sentences} if answer.writer else set()
            counts["claims"] += len(claims)
            counts["claims shown"] += len(claims & shown)
    return {
        "questions": len(items), "outcomes": dict(outcomes), "counts": dict(counts),
        "usage": {stage: dict(used) for stage, used in sorted(usage.items())}, "fallbacks": dict(fallbacks),
    }  # fmt: skip


def _rechecked(book: Book, answer: Answer) -> Sequence[Any]:
    return book.verify_answer(answer.to_dict()) if answer.sentences else ()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--url", default="")
    parser.add_argument("--model", default="")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--context", type=int, default=2048, help="tokens of prompt and reply together")
    parser.add_argument("--stages", nargs="*", choices=STAGES, default=list(STAGES))
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="further settings")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    items = spaced(json.loads(GOLD.read_text("utf-8")), args.questions)
    with tempfile.TemporaryDirectory() as folder, Book(Path(folder)) as plain:
        ingest_demo(plain)
        result = {"rules": asked(plain, items, None)}
        with endpoint(args) as (url, model):
            by = {f"{stage}_by": "llm" if stage in args.stages else "rules" for stage in STAGES}
            more = dict(pair.split("=", 1) for pair in args.set)
            settings = Settings.model_validate(
                {"writer_url": url, "writer_model": model, "writer_context": args.context, "writer_timeout": 600.0,
                 "reply_cache": False, **by, **more}
            )  # fmt: skip
            engines = Engines(settings)
            engines.__dict__.update(encoder=plain.engines.encoder, reranker=plain.engines.reranker)
            assert engines.writer is not None
            engines.__dict__["writer"] = heard = Overheard(engines.writer)
            with Book(Path(folder), settings, engines=engines) as book:
                result["model"] = {**asked(book, items, heard), "stages": args.stages, "settings": more}
    show(result)
    if args.json:
        args.json.write_text(json.dumps(result, indent=1), "utf-8")


def show(result: dict[str, Any]) -> None:
    for way, found in result.items():
        print(f"{way}: {found['questions']} questions, {found['outcomes']}, {found['counts']}")
    found = result["model"]
    claims, shown = found["counts"].get("claims", 0), found["counts"].get("claims shown", 0)
    rejected = wilson(claims - shown, claims)
    if rejected.value is not None:
        interval = f"{rejected.value:.3f} [{rejected.low:.3f}, {rejected.high:.3f}]"
        print(f"claims rejected: {claims - shown} of {claims}, {interval}")
    for stage, used in found["usage"].items():
        each = {name: round(number / found["questions"], 1) for name, number in used.items()}
        print(f"{stage:>10}: {each} a question")
    print(f"fallbacks: {found['fallbacks']}")


if __name__ == "__main__":
    main()
