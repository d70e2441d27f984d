"""Interpretation by rules, measured: what it does to retrieval, and how like a person's short form it is.

Usage: python benchmarks/interpretation.py medquad MEDQUAD_FOLDER STORE [--json OUT]
       python benchmarks/interpretation.py meqsum MEQSUM_FOLDER [--json OUT]
       python benchmarks/interpretation.py archehr ARCHEHR_FOLDER [--json OUT]
       python benchmarks/interpretation.py spelling LONGCHART_FOLDER STORE [--json OUT]

medquad: nDCG@10 of the LiveQA questions that have a good answer, over a reduced pool: all judged answers that the copy
holds and 3,000 drawn from the other MedQuAD answers (seed 0, no text twice). STORE is made if it does not exist (many
minutes). Three constants of the rules are chosen from a grid on four fifths of the questions and measured on the last.
meqsum: ROUGE-L with the summary; words; whether every word of the query is in the message. archehr: ROUGE-Lsum with
the clinician's question of the 20 open cases. spelling: how many of longchart's questions, which have no misspelt word,
are read otherwise in their patient's record (STORE, as benchmarks/longchart.py makes it), absent things apart; and how
many planted typing errors (one edit inside a lower-case word of seven letters or more that the record has) are mended.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import random
import re
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from chartcite.cascade.interpret.cues import load_cues
from chartcite.cascade.interpret.rules import DEFAULT, IN_RECORD, interpret
from chartcite.cascade.interpret.spelling import respell
from chartcite.cascade.interpret.vocabulary import PartitionVocabulary, Vocabulary
from chartcite.cascade.interpret.weights import WORD, Weights
from chartcite.core.answer import Interpretation
from chartcite.core.scope import Scope
from chartcite.index.lexical import Bm25
from chartcite.index.partition import PartitionIndex
from chartcite.lab.cases import Case
from chartcite.lab.datasets.longchart import DATASET as LONGCHART
from chartcite.lab.datasets.medquad import DATASET as MEDQUAD
from chartcite.lab.datasets.meqsum import DATASET as MEQSUM
from chartcite.lab.metrics.ndcg import Ndcg
from chartcite.lab.rouge import rouge
from chartcite.lab.statistics.bootstrap import paired_bootstrap
from chartcite.library.book import Book
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.retrieval.candidates import Bookshelf
from chartcite.retrieval.fusion import reciprocal_rank_fusion
from chartcite.retrieval.probe import Probe

COLLECTION, SAMPLE, FOLDS, DEPTH = "liveqa", 3000, 5, 100
ENGINES: dict[str, dict[str, Any]] = {"BM25": {"method": "lexical", "rerank": "none"}, "default hybrid": {}}
GRID: dict[str, tuple[float, ...]] = {"subject": (1, 2, 4), "asking": (1, 2, 4), "most_words": (8, 10, 12)}
FIRST_GUESS = Weights(drug=3, condition=2, intent=2, repeated=0.5, topic=2, rare=1, neighbour=0.6)
Scores = dict[str, float]


def pool(folder: Path) -> Iterator[dict[str, str]]:
    """The judged answers, then the drawn ones; a text is in it once."""
    judged = list(MEDQUAD.corpus(folder))
    seen = {" ".join(item.text.split()) for item in judged}
    rest: list[tuple[str, str, str]] = []
    with gzip.open(folder / "medquad_qa.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            folded = " ".join(row["answer"].split())
            if folded and folded not in seen:
                seen.add(folded)
                rest.append((f"{row['_id']}#{len(rest)}", row["question"], row["answer"]))
    drawn = random.Random(0).sample(rest, SAMPLE)
    for doc, title, text in [*((i.id, i.title, i.text) for i in judged), *drawn]:
        yield {"doc_id": doc, "title": title, "text": f"{title}\n\n{text}"}


class Ranker:
    """The engines over one store; each query is ranked once."""

    def __init__(self, folder: Path, store: Path) -> None:
        self._books: dict[str, Book] = {}
        encoder = None
        for name, changed in ENGINES.items():
            settings = Settings(**changed)
            engines = Engines(settings)
            if encoder is not None:
                engines.__dict__["encoder"] = encoder
            encoder = engines.encoder
            self._books[name] = Book(store, settings, engines=engines)
        self._known: dict[tuple[str, str], list[str]] = {}
        book = self._books["BM25"]
        if not any(p.scope.name == COLLECTION for p in book.store.partitions("collection")):
            with tempfile.TemporaryDirectory() as temporary:
                path = Path(temporary) / "pool.jsonl"
                path.write_text("".join(json.dumps(row) + "\n" for row in pool(folder)), "utf-8")
                book.ingest(path, collection=COLLECTION)

    def rank(self, engine: str, queries: Sequence[str]) -> list[str]:
        """Documents for one query, or for several with their lists fused."""
        lists = [self._one(engine, query) for query in queries if query.strip()]
        return lists[0] if len(lists) == 1 else [d for d, _ in reciprocal_rank_fusion(lists)]

    def _one(self, engine: str, query: str) -> list[str]:
        key = (engine, query)
        if key not in self._known:
            found = self._books[engine].rank_documents(query, collection=COLLECTION, depth=DEPTH)
            self._known[key] = [doc for doc, _ in found]
        return self._known[key]

    def vocabulary(self) -> AbstractContextManager[Vocabulary]:
        """The collection's words, while its store is open for reading."""
        return words_of(self._books["BM25"], Scope.collection(COLLECTION))


@contextmanager
def words_of(book: Book, scope: Scope) -> Iterator[Vocabulary]:
    with book.store.read(scope) as reader:
        index = PartitionIndex.build(reader, book.engines.recipe, Bm25())
        shelf = Bookshelf(reader, index.documents)
        probe = Probe("", index, reader, book.engines.encoder, book.engines.query_terms([book.engines.analyse]))
        yield Remembered(PartitionVocabulary(probe, book.engines.analyse, lambda p: shelf.text(shelf.place(index, p))))


class Remembered:
    """A vocabulary that is asked each thing once; many constants are tried."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._of, self._known = vocabulary, dict[tuple[Any, ...], Any]()

    def _ask(self, method: Callable[..., Any], *args: Any) -> Any:
        key = (method.__name__, *args)
        if key not in self._known:
            self._known[key] = method(*args)
        return self._known[key]

    def rarity(self, word: str) -> float:
        """As the vocabulary says."""
        return float(self._ask(self._of.rarity, word))

    def has(self, word: str) -> bool:
        """As the vocabulary says."""
        return bool(self._ask(self._of.has, word))

    def nearest(self, word: str, one_edit: int, two_edits: int) -> list[tuple[int, str]]:
        """As the vocabulary says."""
        return list(self._ask(self._of.nearest, word, one_edit, two_edits))


def medquad(folder: Path, store: Path) -> dict[str, Any]:
    cases = [c for c in MEDQUAD.cases(folder) if any(r.grade for r in c.relevant)]
    gold = {c.id: {r.item_id: r.grade for r in c.relevant} for c in cases}
    ranker = Ranker(folder, store)
    metric = Ndcg(10)

    def scores(engine: str, queries: Callable[[Case], Sequence[str]]) -> Scores:
        runs = {c.id: ranker.rank(engine, queries(c)) for c in cases}
        predicted = {case: {doc: -float(n) for n, doc in enumerate(docs)} for case, docs in runs.items()}
        return {k: v or 0.0 for k, v in metric.measure(gold, predicted).per_case(metric.name).items()}

    draws = candidates()
    with ranker.vocabulary() as vocabulary:
        read = {c.id: respelt_message(c, vocabulary) for c in cases}
        asked = [{c.id: interpret("", c.narrative, vocabulary, weights) for c in cases} for weights in draws]
        plain = {c.id: interpret("", c.narrative) for c in cases}
    folds = fold_of(sorted(gold))
    result: dict[str, Any] = {"n": len(cases), "questions_without_good_answer": 104 - len(cases)}
    queries = [[scores(engine, lambda c, a=a: [a[c.id].query]) for a in asked] for engine in ENGINES]  # type: ignore[misc]
    chosen = {f: best_outside(f, folds, queries) for f in range(FOLDS)}
    held = {case: asked[chosen[f]][case] for case, f in folds.items()}
    for engine in ENGINES:
        rows = {
            "message": scores(engine, lambda c: [c.question]),
            "subject and message": scores(engine, lambda c: [c.narrative]),
            "the same, spelling mended": scores(engine, lambda c: [read[c.id]]),
            "interpretation, constants as shipped": scores(engine, lambda c: [asked[0][c.id].query]),
            "interpretation, 5-fold": scores(engine, lambda c: [held[c.id].query]),
            "5-fold, query and story fused": scores(engine, lambda c: [held[c.id].query, held[c.id].story]),
            "as shipped, query and story fused": scores(engine, lambda c: [asked[0][c.id].query, asked[0][c.id].story]),
            "as shipped, without the vocabulary": scores(engine, lambda c: [plain[c.id].query]),
            "human summary": scores(engine, lambda c: [c.summary]),
        }
        result[engine] = compared(rows)
    result["constants"] = {f: {name: getattr(draws[i], name) for name in GRID} for f, i in chosen.items()}
    result["read_as"] = [list(pair) for a in asked[0].values() for pair in a.readings]
    return result


def respelt_message(case: Case, vocabulary: Vocabulary) -> str:
    return respell(case.narrative, vocabulary, load_cues("en"))[0]


def candidates() -> list[Weights]:
    """The shipped constants, then the grid, from which alone the folds choose; what it leaves open was guessed once."""
    grid = [dict(zip(GRID, values, strict=True)) for values in itertools.product(*GRID.values())]
    return [DEFAULT, *(replace(FIRST_GUESS, **point) for point in grid)]  # type: ignore[arg-type]


def fold_of(ids: Sequence[str]) -> dict[str, int]:
    shuffled = random.Random(0).sample(list(ids), len(ids))
    return {case: n % FOLDS for n, case in enumerate(shuffled)}


def best_outside(fold: int, folds: Mapping[str, int], queries: Sequence[Sequence[Scores]]) -> int:
    """Which draw is best on the other folds, over both engines; of equals the first."""
    means = [
        fmean(engine[draw][case] for engine in queries for case, f in folds.items() if f != fold)
        for draw in range(1, len(queries[0]))
    ]
    return 1 + means.index(max(means))


def compared(rows: Mapping[str, Scores]) -> dict[str, Any]:
    """Means, the share of the gap that is closed, and paired intervals against the message and the summary."""
    message, summary = rows["message"], rows["human summary"]
    low, high = fmean(message.values()), fmean(summary.values())
    shown = {}
    for name, values in rows.items():
        mean = fmean(values.values())
        over, under = paired_bootstrap(values, message), paired_bootstrap(values, summary)
        shown[name] = {
            "ndcg@10": round(mean, 4), "closed": round((mean - low) / (high - low), 3),
            "over_message": interval(over), "over_summary": interval(under),
        }  # fmt: skip
    return shown


def interval(found: Any) -> list[float]:
    return [round(found.difference, 4), round(found.low, 4), round(found.high, 4)]


def meqsum(folder: Path) -> dict[str, Any]:
    cases = list(MEQSUM.cases(folder))
    return wording([(c.narrative, c.summary) for c in cases])


def archehr(folder: Path) -> dict[str, Any]:
    root = ET.parse(folder / "2025_dev_cases_no_notes.xml").getroot()
    texts = [(tell(case, "patient_narrative"), tell(case, "clinician_question")) for case in root.iter("case")]
    return wording(texts)


def tell(case: ET.Element, tag: str) -> str:
    return " ".join((case.findtext(tag) or "").split())


def wording(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """ROUGE-L with the reference; for comparison the message's first 15 words and its last question."""
    found = [interpret("", message) for message, _ in pairs]
    kinds: dict[str, list[str]] = {
        "interpretation": [f.query for f in found],
        "first 15 words": [" ".join(m.split()[:15]) for m, _ in pairs],
        "last 15 words": [" ".join(m.split()[-15:]) for m, _ in pairs],
        "whole message": [m for m, _ in pairs],
    }
    rows = {}
    for name, texts in kinds.items():
        values = {
            str(n): rouge("rougeLsum", t, ref, "ascii")
            for n, (t, (_, ref)) in enumerate(zip(texts, pairs, strict=True))
        }
        spread = paired_bootstrap(values, dict.fromkeys(values, 0.0))
        rows[name] = {"rouge_lsum": interval(spread)}
    return {
        "n": len(pairs), "rows": rows,
        "at_most_15_words": fmean(len(f.query.split()) <= 15 for f in found),
        "no_foreign_word": fmean(own_words(f, m) for f, (m, _) in zip(found, pairs, strict=True)),
        "mean_words": round(fmean(len(f.query.split()) for f in found), 1),
    }  # fmt: skip


def own_words(found: Interpretation, message: str) -> bool:
    low = message.lower()
    words = WORD.findall(found.query.lower())
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", low) for word in words)


def spelling(folder: Path, store: Path) -> dict[str, Any]:
    asked: dict[str, list[Case]] = defaultdict(list)
    for case in LONGCHART.cases(folder):
        asked[case.patient_id].append(case)
    dice, counts, read = random.Random(0), Counter[str](), Counter[tuple[str, str]]()
    with Book(store, create=False) as book:
        for patient, cases in asked.items():
            with words_of(book, Scope.patient(patient)) as vocabulary:
                for case in cases:
                    found = interpret(case.question, "", vocabulary, IN_RECORD)
                    read.update(found.readings)
                    kind = "absent" if case.group == "absent" else "other"
                    counts[f"{kind} questions"] += 1
                    counts[f"{kind} questions read otherwise"] += bool(found.readings)
                    if case.lang == "en" and (planted := with_error(case.question, vocabulary, dice)):
                        mended, readings = respell(planted, vocabulary, load_cues("en"), IN_RECORD.most_edits)
                        counts["planted"] += 1
                        counts["mended"] += mended == case.question
                        alike = book.engines.analyse(mended) == book.engines.analyse(case.question)
                        counts["read as another form"] += mended != case.question and bool(readings) and alike
                        counts["read as another word"] += bool(readings) and not alike
    return {"counts": dict(sorted(counts.items())), "read": [[*pair, n] for pair, n in read.most_common(20)]}


def with_error(question: str, vocabulary: Vocabulary, dice: random.Random) -> str:
    """The question with one word misspelt; empty if it has none that is long enough and in the record."""
    words = [w for w in question.rstrip("?").split() if w.isalpha() and w.islower() and len(w) >= 7]
    known = [w for w in words if vocabulary.has(w)]
    if not known or dice.random() > 0.3:
        return ""
    word = dice.choice(known)
    at = dice.randrange(1, len(word) - 1)
    wrong = dice.choice((
        word[:at] + word[at + 1 :], word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + dice.choice("aeioursltn") + word[at + 1 :], word[:at] + word[at] + word[at:],
    ))  # fmt: skip
    return "" if wrong == word or vocabulary.has(wrong) else question.replace(word, wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", choices=("medquad", "meqsum", "archehr", "spelling"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("store", type=Path, nargs="?")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not args.folder.is_dir():
        sys.exit(f"There is no data in {args.folder}: this benchmark is skipped.")
    if args.data in ("medquad", "spelling"):
        if args.store is None:
            parser.error(f"{args.data} needs a store.")
        result = (medquad if args.data == "medquad" else spelling)(args.folder, args.store)
    else:
        result = meqsum(args.folder) if args.data == "meqsum" else archehr(args.folder)
    print(json.dumps(result, indent=1))
    if args.json:
        args.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
