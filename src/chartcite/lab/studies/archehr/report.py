"""Stage `report`: one HTML file: official figures, how far errors travel, strategies in pairs, every case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from chartcite.lab.csv_safe import replace_text
from chartcite.lab.datasets.archehr import KEY, Labelled
from chartcite.lab.experiment.report.document import document
from chartcite.lab.experiment.report.html import Markup, folded, join, number, section, spanned, table, tag
from chartcite.lab.experiment.spec import LIMITS_ONLY
from chartcite.lab.experiment.stage import Context, Finished, Stage
from chartcite.lab.experiment.stages.report import FILE
from chartcite.lab.studies.archehr.compare import MAIN
from chartcite.lab.studies.archehr.corpus import labelled_of, options_of
from chartcite.lab.studies.archehr.options import ORACLES
from chartcite.lab.studies.archehr.tables import CascadeRow, DifferenceRow, LinkRow, ProblemRow, ScoreRow
from chartcite.library.settings import Settings

TASKS = {
    "2026.1": "1 question", "2026.2": "2 evidence", "2026.3": "3 answer", "2026.4": "4 alignment", "2025": "2025",
}  # fmt: skip
GIVEN = {
    "": "nothing",
    "query": "clinician's question",
    "evidence": "essential sentences",
    "answer": "clinician's answer",
}
_SHOWN_CASES = 40


class ReportStage(Stage):
    """See the module."""

    name = "report"

    def finish(self, ctx: Context) -> Finished:
        """Write the page."""
        path = ctx.folder.path / FILE
        replace_text(path, page(_Rows(ctx)))
        return Finished(files=(path,))


@dataclass(frozen=True)
class _Rows:
    """All that the page shows."""

    ctx: Context

    @cached_property
    def labelled(self) -> list[Labelled]:
        return labelled_of(self.ctx)

    @cached_property
    def cascade(self) -> list[CascadeRow]:
        return self.ctx.rows("answer", CascadeRow)

    @cached_property
    def links(self) -> list[LinkRow]:
        return self.ctx.rows("answer", LinkRow, "links")

    @cached_property
    def scores(self) -> list[ScoreRow]:
        return self.ctx.rows("measure", ScoreRow)

    @cached_property
    def differences(self) -> list[DifferenceRow]:
        return self.ctx.rows("compare", DifferenceRow)

    @property
    def strategies(self) -> list[str]:
        return [s.name for s in self.ctx.spec.strategies]

    @property
    def level(self) -> str:
        return f"{self.ctx.spec.statistics.level:.0%}".replace("%", " %")


def page(rows: _Rows) -> str:
    """One HTML document, complete in itself."""
    parts = {
        "Figures": _figures(rows), "Propagation": _propagation(rows), "Strategies": _strategies(rows),
        "Fallbacks": _fallbacks(rows), "Cases": _cases(rows), "Data": _data(rows), "Made": _made(rows),
    }  # fmt: skip
    return document(rows.ctx.spec.name, _top(rows), parts)


def _top(rows: _Rows) -> Markup:
    data = rows.ctx.folder.manifest["data"]
    options = options_of(rows.ctx)
    cases = f"{data['cases']:,} of {data['cases_available']:,} cases" if (
        data["cases"] < data["cases_available"]
    ) else f"{data['cases']:,} cases"  # fmt: skip
    units = "the data set's own sentences" if options.segmentation == "stated" else "our own cut, mapped by overlap"
    n = len(rows.strategies)
    lead = f"ArchEHR-QA: {cases}, {n} {'strategy' if n == 1 else 'strategies'}; the units that are cited are {units}."
    invented = "invented" in data.get("document_sources", [])
    warn = (
        "These cases are invented. The figures compare strategies with each other and say nothing about the task."
        if invented
        else ""
    )
    no_key = "" if (rows.ctx.folder.path / KEY).is_file() else "There is no key, so subtasks 2 to 4 have no figures."
    return tag(
        "header", tag("h1", rows.ctx.spec.name), tag("p", lead, class_="lead"),
        tag("p", f"{data['paper']}. Licence: {data['licence']}.", class_="note"),
        *(tag("p", said, class_="warn") for said in (warn, no_key) if said),
    )  # fmt: skip


def _figures(rows: _Rows) -> Markup:
    own = {(s.strategy, s.task, s.measure): s for s in rows.scores if not s.oracle}
    parts = []
    for task, title in TASKS.items():
        measures = [m for m in MAIN[task] if any((s, task, m) in own for s in rows.strategies)]
        if not measures:
            why = next((s.reason for s in rows.scores if s.task == task and s.reason), "there is no key")
            parts.append(tag("p", f"{title}: no figure, {why}.", class_="note"))
            continue
        body = [[s, *(_cell(own.get((s, task, m))) for m in (*measures, "overall_score"))] for s in rows.strategies]
        parts.append(
            table(["Strategy", *measures, "overall"], body, caption=f"Subtask {title}" if "·" in title else title)
        )
    every = sorted((s for s in rows.scores), key=lambda s: (s.strategy, s.oracle, s.task, s.measure))
    missing = dict.fromkeys(s.reason for s in rows.scores if s.value is None and s.reason)
    return section(
        "Figures",
        tag("p", f"Official figures, times 100; below each its {rows.level} interval from resampling cases. An overall "
            "figure that needs a model which is not here is a dash: it is never a mean of what is there."),
        *parts,
        folded(f"Why figures are missing: {len(missing)} reasons", tag("ul", *(tag("li", why) for why in missing)))
        if missing else "",
        folded(f"All {len(every):,} figures", table(
            ["Strategy", "Given", "Task", "Measure", "Figure", "n"],
            [[s.strategy, GIVEN[s.oracle], s.task, s.measure, _cell(s), number(s.n)] for s in every], left=4,
        )),
        anchor="figures",
    )  # fmt: skip


def _propagation(rows: _Rows) -> Markup:
    """Stage by {own, given} to the later figures."""
    found = {(s.strategy, s.oracle, s.task, s.measure): s for s in rows.scores}
    gains = {(d.first, d.task, d.measure): d for d in rows.differences if d.what == "oracle"}
    if not gains:
        return Markup("")
    columns = [(t, m) for t in ("2026.2", "2026.3", "2026.4", "2025") for m in MAIN[t][:1]]
    parts = []
    for strategy in (s for s in rows.strategies if any(r.oracle and r.strategy == s for r in rows.scores)):
        body = []
        for oracle in ORACLES:
            cells: list[object] = [GIVEN[oracle]]
            for task, measure in columns:
                one = found.get((strategy, oracle, task, measure))
                gain = gains.get((f"{strategy}, {oracle} given", task, measure))
                shown = _cell(one) if one is not None else tag("span", "·", class_="none")
                cells.append(shown if gain is None else join([shown, tag("span", "gain ", _gain(gain), class_="span")]))
            body.append(cells)
        head = ["Given from the key", *(f"{TASKS[task]}: {measure}" for task, measure in columns)]
        parts.append(table(head, body, caption=strategy))
    return section(
        "How far errors travel",
        tag("p", "One stage's output at a time is given from the key; the stages after it run as they are. A figure of "
            "a stage that comes before what was given, or is the key itself, is a dot. Below each figure the paired "
            f"difference to the cascade with nothing given, with its {rows.level} interval. With the clinician's "
            "answer given, 2025's citations are what our alignment links that answer to among the evidence kept."),
        *parts,
        anchor="propagation",
    )  # fmt: skip


def _strategies(rows: _Rows) -> Markup:
    found = [d for d in rows.differences if d.what == "strategy"]
    if not found:
        return Markup("")
    columns = list(dict.fromkeys((d.task, d.measure) for d in found if d.difference is not None))
    by = {(d.first, d.second, d.task, d.measure): d for d in found}
    pairs = list(dict.fromkeys((d.first, d.second) for d in found))
    body = [[*pair, *(_gain(by[*pair, *column]) for column in columns)] for pair in pairs]
    return section(
        "Strategies in pairs",
        tag("p", f"First less second on the same cases, with the {rows.level} interval; not corrected for the number "
            "of comparisons."),
        table(["First", "Second", *(f"{TASKS[t]}: {m}" for t, m in columns)], body, left=2),
        anchor="strategies",
    )  # fmt: skip


def _fallbacks(rows: _Rows) -> Markup:
    own = {s: [r for r in rows.cascade if r.strategy == s and not r.oracle] for s in rows.strategies}
    names = sorted({said.partition(":")[0] for found in own.values() for r in found for said in r.fallbacks})
    of_each: list[tuple[str, Callable[[list[CascadeRow]], object]]] = [
        ("cases without an answer", lambda found: number(sum(not r.sentences for r in found))),
        ("evidence stands on", lambda found: _counted([r.kept or "none" for r in found])),
        ("calls of a language model", lambda found: number(sum(r.llm_calls for r in found))),
        *((name, lambda found, name=name: number(_having(found, name))) for name in names),
    ]
    body = [[title, *(figure(own[s]) for s in rows.strategies)] for title, figure in of_each]
    return section(
        "Fallbacks",
        tag("p", "In how many cases each happened, with nothing given. A case without an answer has the sentence "
            "“The note does not answer this question.” in the submission, which takes no empty answer."),
        table(["", *rows.strategies], body),
        anchor="fallbacks",
    )  # fmt: skip


def _having(found: Sequence[CascadeRow], name: str) -> int:
    return sum(any(said.partition(":")[0] == name for said in r.fallbacks) for r in found)


def _counted(words: Sequence[str]) -> str:
    return ", ".join(f"{word} {words.count(word)}" for word in sorted(set(words)))


def _cases(rows: _Rows) -> Markup:
    own = {(r.strategy, r.case_id): r for r in rows.cascade if not r.oracle}
    shown = rows.labelled[:_SHOWN_CASES]
    rest = len(rows.labelled) - len(shown)
    return section(
        "Cases",
        tag("p", "Each case with its gold and what every strategy made of it; ids are those of the note's sentences."),
        *(folded(f"Case {one.case.id}: {one.case.question}", _case(rows, one, own)) for one in shown),
        tag("p", f"{rest:,} further cases are in the tables.", class_="note") if rest else "",
        anchor="cases",
    )  # fmt: skip


def _case(rows: _Rows, one: Labelled, own: Mapping[tuple[str, str], CascadeRow]) -> Markup:
    gold = one.gold
    marks = gold.relevance if gold else {}
    picked = {s: set(own[s, one.case.id].evidence) for s in rows.strategies if (s, one.case.id) in own}
    note = [
        [s.id, one.case.sentence_text(s), marks.get(s.id, ""), ", ".join(n for n, ids in picked.items() if s.id in ids)]
        for s in one.case.sentences
    ]
    said = [["clinician", one.case.clinician_question, gold.answer if gold else ""]]
    for strategy in rows.strategies:
        row = own.get((strategy, one.case.id))
        if row is not None:
            answer = " ".join(f"{t.text} [{', '.join(t.citations)}]" for t in row.sentences)
            said.append([strategy, row.query, answer or f"no answer: {row.reason}"])
    links = [
        [
            s.id,
            s.text,
            ", ".join(s.citations or ()),
            *(_linked(rows, name, one.case.id, s.id) for name in rows.strategies),
        ]
        for s in one.answer_sentences
    ]
    return join([
        tag("p", one.case.narrative),
        table(["By", "Query", "Answer"], said, left=3),
        table(["Id", "Sentence", "Gold", "Kept as evidence by"], note, left=4) if note else "",
        table(["Id", "Clinician's sentence", "Gold", *rows.strategies], links, left=3 + len(rows.strategies))
        if links else "",
    ])  # fmt: skip


def _linked(rows: _Rows, strategy: str, case: str, answer_id: str) -> str:
    return next(
        (
            ", ".join(r.evidence)
            for r in rows.links
            if (r.strategy, r.oracle, r.case_id, r.answer_id) == (strategy, "", case, answer_id)
        ),
        "",
    )


def _data(rows: _Rows) -> Markup:
    problems = rows.ctx.rows("corpus", ProblemRow, "problems")
    if not problems:
        return Markup("")
    return section(
        "Data", tag("p", "What cases lack, or what of them was mended."),
        table(["Case", "What"], [[p.case_id, p.problem] for p in problems], left=2), anchor="data",
    )  # fmt: skip


def _made(rows: _Rows) -> Markup:
    manifest, default = rows.ctx.folder.manifest, Settings()
    last = manifest["stages"].get("compare", {})
    body: list[Sequence[object]] = []
    for strategy in rows.ctx.spec.strategies:
        own = strategy.settings.model_dump(mode="json")
        differ = {k: v for k, v in own.items() if k not in LIMITS_ONLY and v != getattr(default, k)}
        body.append([strategy.name, _pairs(differ) or "none"])
    facts = {
        "Run": rows.ctx.folder.path.name, "Specification": manifest["spec_sha256"],
        "Encoders": ", ".join(manifest["models"].get("encoders", [])),
        "Cross-encoders": ", ".join(manifest["models"].get("rerankers", [])),
        "Language models": ", ".join(manifest["models"].get("writers", [])) or "none used",
        "Options": _pairs(rows.ctx.spec.options), "Seed": rows.ctx.spec.statistics.seed,
        "Versions": _pairs(last.get("made_with", {})), "Machine": _pairs(last.get("machine", {})),
    }  # fmt: skip
    return section(
        "How it was made",
        table(["Strategy", "Settings that differ from the defaults"], body, left=2),
        tag("dl", *(part for name, value in facts.items() for part in (tag("dt", name), tag("dd", value)))),
        anchor="made",
    )  # fmt: skip


def _pairs(entries: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in entries.items() if value != "")


def _cell(s: ScoreRow | None) -> Markup:
    return number(None) if s is None else spanned(s.value, s.low, s.high, s.reason)


def _gain(d: DifferenceRow) -> Markup:
    return spanned(d.difference, d.low, d.high, d.reason, sign=True)
