"""Whether answers are the same when the model sees surrogates only.

Usage: python benchmarks/deid_answers.py [--limit N]

The gold questions of the demo records are put to a writer that says the first three sources word for word, once with
the real text and once with surrogates (`deidentify = always`). Counted: answers with equal sentences and citations; of
the sentences that were verified in real text, those that are there and verified after surrogates; questions for which
the writer saw a name of the records. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chartcite.core.answer import Answer
from chartcite.core.chat import ChatReply, ChatRequest
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from deid import line
from deidentification.records import demo
from demo_gold import GOLD, ingest_demo


@dataclass
class Parrot:
    """Says its first three sources."""

    name: str = "parrot"
    is_remote: bool = False
    context_tokens: int = 8192
    seen: list[str] = field(default_factory=list)

    def chat(self, request: ChatRequest) -> ChatReply:
        asked = request.messages[-1].content
        self.seen.append(asked)
        sources = re.findall(r"^(E\d+): [^:\n]*: (.*)$", asked, re.MULTILINE)[:3]
        return ChatReply(json.dumps({"sentences": [{"text": t, "sources": [e]} for e, t in sources]}), "stop")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=0)
    args = parser.parse_args()
    items = [i for i in json.loads(GOLD.read_text("utf-8")) if i.get("patient")][: args.limit or None]
    parrot = Parrot()
    engines = Engines(Settings())
    engines.__dict__["writer"] = parrot
    how: dict[str, Any] = {"writer_url": "http://127.0.0.1:9/v1", "writer_model": "parrot", "reply_cache": False}
    same = asked = kept = verified = 0
    canaries = {
        g for r in demo() for i in r.items for g in (i.text[s.start : s.end] for s in i.gold if s.kind == "name")
    }
    with tempfile.TemporaryDirectory() as folder:
        with Book(Path(folder), Settings(), engines=engines) as book:
            ingest_demo(book)
        plain, veiled = (Book(Path(folder), Settings(**how, deidentify=d), engines=engines) for d in ("off", "always"))
        leaks = 0
        for item in items:
            before = plain.ask(item["question"], patient=item["patient"])
            parrot.seen.clear()
            after = veiled.ask(item["question"], patient=item["patient"])
            sent = " ".join(parrot.seen)
            leaks += any(re.search(rf"(?<!\w){re.escape(c)}(?!\w)", sent) for c in canaries)
            asked += 1
            same += _told(before) == _told(after)
            verified += len(before.sentences)
            kept += sum(sentence in _told(after) for sentence in _told(before))
        plain.close()
        veiled.close()
    print(f"questions {asked}")
    print(f"  same answers       {line(same, asked)}")
    print(f"  verified sentences {line(kept, verified)}")
    print(f"  questions whose requests hold a name of the records: {leaks}")


def _told(answer: Answer) -> list[Mapping[str, Any]]:
    return [s.to_dict() for s in answer.sentences]


if __name__ == "__main__":
    main()
