"""What an ingest did, for people: counts, and what failed with reason and advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rich.text import Text

from chartcite.app.render.layout import Paper, plural
from chartcite.app.render.safe import one_line
from chartcite.core.scope import Scope
from chartcite.ingest.ledger import Ledger, ProblemLine

SHOWN_FAILURES = 20
_OUTCOMES = ("added", "updated", "unchanged", "failed", "skipped")


def ledger_lines(ledger: Ledger, seconds: float, paper: Paper, what: str = "source") -> Iterator[Text]:
    """The summary of an ingest. `what` is the word for a line of the ledger."""
    rows = [(f"{name.capitalize()}", f"{ledger.total(name):,}") for name in _OUTCOMES]
    rows.append(("Passages", f"{ledger.passages:,}"))
    rows.append(("Encoded", f"{ledger.encoded:,}"))
    if ledger.cut:
        rows.append(("Cut by the encoder", f"{ledger.cut:,}"))
    rows.append(("Seconds", f"{seconds:,.1f}"))
    if ledger.encoded and seconds > 0:
        rows.append(("Passages/s", f"{ledger.encoded / seconds:,.0f}"))
    yield from paper.hanging("", Text(f"Documents of {plural(len(ledger.sources), what)}", "bold"))
    yield from _table(rows, {"Failed": "red"} if ledger.total("failed") else {})
    yield from problem_lines(ledger, paper)


def rehearsal_lines(ledger: Ledger, partitions: Mapping[Scope, int], paper: Paper) -> Iterator[Text]:
    """What an ingest would find."""
    read, sources = ledger.total("added"), plural(len(ledger.sources), "source")
    head = f"Dry run: {plural(read, 'document')} from {sources} can be read. Nothing was stored."
    yield from paper.hanging("", Text(head, "bold"))
    for scope, documents in sorted(partitions.items())[:SHOWN_FAILURES]:
        line = f"{scope.kind} {one_line(scope.name)}: {plural(documents, 'document')}"
        yield from paper.hanging("", Text(line), indent=2)
    if len(partitions) > SHOWN_FAILURES:
        yield Text(f"  and {plural(len(partitions) - SHOWN_FAILURES, 'more patient or collection', 'more')}")
    yield from problem_lines(ledger, paper)


def problem_lines(ledger: Ledger, paper: Paper) -> Iterator[Text]:
    """What failed, the first twenty in full, and what was skipped, by reason."""
    problems = [(source.name, p) for source in ledger.sources for p in source.problems]
    failed = [(name, p) for name, p in problems if not p.skipped]
    if failed:
        yield Text()
        yield Text(f"Failed ({ledger.total('failed'):,})", "bold red")
        for name, problem in failed[:SHOWN_FAILURES]:
            yield from _problem(name, problem, paper)
        rest = ledger.total("failed") - min(len(failed), SHOWN_FAILURES)
        if rest:
            yield Text(f"  and {rest:,} more (--json lists them)")
    skipped = Counter(_sentence(p.reason) for _, p in problems if p.skipped)
    if skipped:
        yield Text()
        yield Text(f"Skipped ({ledger.total('skipped'):,})", "bold")
        for reason, count in skipped.most_common(SHOWN_FAILURES):
            yield from paper.hanging(f"{count:,} ".rjust(6), Text(reason))


def _problem(source: str, problem: ProblemLine, paper: Paper) -> Iterator[Text]:
    where = problem.where if problem.where.startswith(source) else f"{source}: {problem.where}"
    yield from paper.hanging("", Text(one_line(where)), indent=2)
    yield from paper.hanging("", Text(_sentence(problem.reason)), indent=6)
    if problem.advice:
        yield from paper.hanging("try: ", Text(_sentence(problem.advice), "dim"), indent=6)


def _table(rows: list[tuple[str, str]], styles: Mapping[str, str]) -> Iterator[Text]:
    names, values = max(len(name) for name, _ in rows), max(len(value) for _, value in rows)
    for name, value in rows:
        yield Text(f"  {name:<{names}}  {value:>{values}}", styles.get(name, ""))


def _sentence(text: str) -> str:
    text = one_line(text)
    return text[:1].upper() + text[1:] + ("" if not text or text.endswith((".", "?", "!")) else ".")
