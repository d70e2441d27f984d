"""What an ingest did, for people: counts, and what failed with reason and advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rich.text import Text

from chartcite.app.render.layout import Paper
from chartcite.app.render.safe import one_line
from chartcite.core.scope import Scope
from chartcite.ingest.ledger import Ledger, ProblemLine

SHOWN_FAILURES = 20
_OUTCOMES = ("Added", "Updated", "Unchanged", "Failed", "Skipped")


def ledger_lines(ledger: Ledger, seconds: float, paper: Paper, what: str = "source") -> Iterator[Text]:
    """The summary of an ingest. `what` is the word for a line of the ledger."""
    words = paper.words
    rows = [(words(name), words.number(ledger.total(name.lower()))) for name in _OUTCOMES]
    rows.append((words("Passages"), words.number(ledger.passages)))
    rows.append((words("Encoded"), words.number(ledger.encoded)))
    if ledger.cut:
        rows.append((words("Cut by the encoder"), words.number(ledger.cut)))
    if ledger.workers_lost:
        rows.append((words("Workers lost, their texts done by others"), words.number(ledger.workers_lost)))
    if ledger.copied_in_all.share:
        rows.append((words("Copied forward, %"), words.number(round(100 * ledger.copied_in_all.share))))
    rows.append((words("Seconds"), words.decimal(seconds)))
    if ledger.encoded and seconds > 0:
        rows.append((words("Passages/s"), words.number(round(ledger.encoded / seconds))))
    head = words("Documents of {sources}", sources=words.plural(len(ledger.sources), what))
    yield from paper.hanging("", Text(head, "bold"))
    yield from _table(rows, {words("Failed"): "red"} if ledger.total("failed") else {})
    yield from format_lines(ledger, paper)
    yield from problem_lines(ledger, paper)
    yield from _gone_lines(ledger, paper)


def _gone_lines(ledger: Ledger, paper: Paper) -> Iterator[Text]:
    """What was read before and is not there any more."""
    if not ledger.gone:
        return
    words = paper.words
    yield Text()
    yield Text(f"{words('Not there any more; what was read of them stays')} ({words.number(len(ledger.gone))})", "bold")
    for name in ledger.gone[:SHOWN_FAILURES]:
        yield from paper.hanging("", Text(one_line(name)), indent=2)
    if len(ledger.gone) > SHOWN_FAILURES:
        rest = words.number(len(ledger.gone) - SHOWN_FAILURES)
        yield Text("  " + words("and {count} more", count=rest))


def rehearsal_lines(ledger: Ledger, partitions: Mapping[Scope, int], paper: Paper) -> Iterator[Text]:
    """What an ingest would find."""
    words = paper.words
    head = words(
        "Dry run: {documents} from {sources} can be read. Nothing was stored.",
        documents=words.plural(ledger.total("added"), "document"), sources=words.plural(len(ledger.sources), "source"),
    )  # fmt: skip
    yield from paper.hanging("", Text(head, "bold"))
    for scope, documents in sorted(partitions.items())[:SHOWN_FAILURES]:
        line = f"{words(scope.kind)} {one_line(scope.name)}: {words.plural(documents, 'document')}"
        yield from paper.hanging("", Text(line), indent=2)
    if len(partitions) > SHOWN_FAILURES:
        yield Text("  " + words("and {count} more", count=words.number(len(partitions) - SHOWN_FAILURES)))
    yield from format_lines(ledger, paper)
    yield from problem_lines(ledger, paper)


def format_lines(ledger: Ledger, paper: Paper) -> Iterator[Text]:
    """A line a format, where there is more than one; without columns where the terminal is too narrow for them."""
    found, words = ledger.by_format(), paper.words
    if len(found) < 2:
        return
    heads = ["", *(words(name) for name in ("Documents", "Characters", "Partitions", "Failed", "Skipped"))]
    rows = [
        [name or words("not read now"), *map(words.number, (one.documents, one.chars, len(one.partitions), one.failed,
                                                            one.skipped))]
        for name, one in found.items()
    ]  # fmt: skip
    widths = [max(len(row[n]) for row in [heads, *rows]) for n in range(len(heads))]
    yield Text()
    if 2 + sum(widths) + 2 * (len(widths) - 1) > paper.width:
        for name, *cells in rows:
            said = ", ".join(f"{head} {cell}" for head, cell in zip(heads[1:], cells, strict=True))
            yield from paper.hanging("", Text(f"{name}: {said}"), indent=2)
        return
    for row in [heads, *rows]:
        cells = [
            f"{cell:<{width}}" if not n else f"{cell:>{width}}"
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield Text("  " + "  ".join(cells).rstrip(), "bold" if row is heads else "")


def problem_lines(ledger: Ledger, paper: Paper) -> Iterator[Text]:
    """What failed, the first twenty in full, and what was skipped, by reason."""
    problems = [(source.name, p) for source in ledger.sources for p in source.problems]
    failed = [(name, p) for name, p in problems if not p.skipped]
    if failed:
        yield Text()
        yield Text(f"{paper.words('Failed')} ({paper.words.number(ledger.total('failed'))})", "bold red")
        for name, problem in failed[:SHOWN_FAILURES]:
            yield from _problem(name, problem, paper)
        rest = ledger.total("failed") - min(len(failed), SHOWN_FAILURES)
        if rest:
            yield Text("  " + paper.words("and {count} more (--json lists them)", count=paper.words.number(rest)))
    skipped = Counter(_sentence(paper.words.told(p.reason)) for _, p in problems if p.skipped)
    if skipped:
        yield Text()
        yield Text(f"{paper.words('Skipped')} ({paper.words.number(ledger.total('skipped'))})", "bold")
        for reason, count in skipped.most_common(SHOWN_FAILURES):
            yield from paper.hanging(f"{count:,} ".rjust(6), Text(reason))
        rest = ledger.total("skipped") - sum(count for _, count in skipped.most_common(SHOWN_FAILURES))
        if rest:
            yield Text("  " + paper.words("and {count} more (--json lists them)", count=paper.words.number(rest)))


def _problem(source: str, problem: ProblemLine, paper: Paper) -> Iterator[Text]:
    where = problem.where if problem.where.startswith(source) else f"{source}: {problem.where}"
    yield from paper.hanging("", Text(one_line(where)), indent=2)
    yield from paper.hanging("", Text(_sentence(paper.words.told(problem.reason))), indent=6)
    if problem.advice:
        yield from paper.hanging(
            paper.words("try: "), Text(_sentence(paper.words.told(problem.advice)), "dim"), indent=6
        )


def _table(rows: list[tuple[str, str]], styles: Mapping[str, str]) -> Iterator[Text]:
    names, values = max(len(name) for name, _ in rows), max(len(value) for _, value in rows)
    for name, value in rows:
        yield Text(f"  {name:<{names}}  {value:>{values}}", styles.get(name, ""))


def _sentence(text: str) -> str:
    text = one_line(text)
    return text[:1].upper() + text[1:] + ("" if not text or text.endswith((".", "?", "!")) else ".")
