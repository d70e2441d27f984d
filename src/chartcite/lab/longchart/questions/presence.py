"""Is it in the record? Present concepts with the sentences that say so, and absent ones that no note holds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from chartcite.lab.longchart.lexicon import Lang, drug_names, load, names
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.model import Case, Kind, Question, Span

_KINDS = ("condition", "drug", "procedure", "allergen", "test", "symptom")
_ABSENT, _PRESENT = 46, 42


def plain(text: str) -> str:
    """Lower case, no accents, one space between words: what the search compares."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"\s+", " ", bare).lower()


class RecordText:
    """Everything a record says, for a search by string."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._text = "\n".join(plain(n.text) for n in notes)
        self._words = frozenset(re.findall(r"[^\W_]+", self._text))

    def holds(self, word: str) -> bool:
        """Whether a name stands anywhere, as a word of its own (short names) or inside one (long names)."""
        wanted = plain(word)
        if len(wanted) <= 4 and wanted.isalnum():
            return wanted in self._words
        if len(wanted) <= 4:
            return re.search(rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])", self._text) is not None
        return wanted in self._text


@cache
def concepts(lang: Lang) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Every concept a question may ask for: kind, key, names. From the course's lists and the pool alike."""
    found: list[tuple[str, str, tuple[str, ...]]] = []
    found += [("condition", k, tuple(names("condition", k, lang))) for k in load("conditions.toml")]
    found += [("drug", k, tuple(drug_names(k, lang))) for k in load("drugs.toml")]
    found += [("procedure", k, tuple(names("procedure", k, lang))) for k in load("procedures.toml")]
    found += [("symptom", k, tuple(names("symptom", k, lang))) for k in load("symptoms.toml")]
    pool = load("pool.toml")
    for kind in ("condition", "drug", "procedure", "allergen", "test"):
        found += [(kind, k, tuple(names(f"pool_{kind}", k, lang))) for k in pool[kind]]
    found += [
        ("test", k, tuple(names("analyte", k, lang)))
        for k, r in load("analytes.toml").items()
        if r["panel"] in ("single", "extra")
    ]
    return tuple(found)


def make(case: Case) -> Iterator[Question | None]:
    """Present and absent questions in the same words."""
    record = RecordText(list(case.ledger.notes.values()))
    yield from _absent(case, record)
    yield from _present(case, record)
    yield from _named_only(case)


def _fits(case: Case, kind: str, key: str) -> bool:
    table = load("pool.toml").get(kind, {}).get(key) or (
        load(f"{kind}s.toml").get(key, {}) if kind in ("condition", "procedure") else {}
    )
    return str(table.get("sex", case.life.person.sex)) == case.life.person.sex


def _absent(case: Case, record: RecordText) -> Iterator[Question | None]:
    lang, person = case.life.person.lang, case.life.person
    able = [c for c in concepts(lang) if _fits(case, c[0], c[1]) and not any(record.holds(n) for n in c[2])]
    for kind, _, known in _balanced(case, able, _ABSENT):
        family, text = case.phrase(f"q_record_{kind}", thing=known[0])
        yield Question(
            person.patient_id,
            lang,
            person.split,
            "absent",
            family,
            text,
            {"type": "status", "status": "absent", "text": "absent"},
            (),
            answerable=False,
            concept=known[0],
            synonyms=known[1:],
            about=kind,
        )


def _balanced(
    case: Case, able: list[tuple[str, str, tuple[str, ...]]], count: int
) -> list[tuple[str, str, tuple[str, ...]]]:
    """About as many of each kind as there are."""
    chosen: list[tuple[str, str, tuple[str, ...]]] = []
    by_kind = {kind: case.dice.shuffled([c for c in able if c[0] == kind]) for kind in _KINDS}
    while len(chosen) < count and any(by_kind.values()):
        for kind in _KINDS:
            if by_kind[kind]:
                chosen.append(by_kind[kind].pop())
    return chosen[:count]


def _present(case: Case, record: RecordText) -> Iterator[Question | None]:
    lang = case.life.person.lang
    found = _stated(case)
    able = [(kind, key, tuple(n)) for kind, key, n in concepts(lang) if (kind, key) in found]
    for kind, key, known in _balanced(case, able, _PRESENT):
        # Now and then by a name that the record does not use: a search for the word alone finds nothing.
        foreign = [n for n in known[1:] if not record.holds(n)]
        asked = case.dice.pick(foreign) if foreign and case.dice.chance(0.4) else known[0]
        answer = {"type": "status", "status": "present", "text": "present"}
        others = _not_about_patient(case, kind, key)
        made = case.question(
            "present", f"q_record_{kind}", {"thing": asked}, answer, found[kind, key], others, about=kind
        )
        if made is not None:
            yield replace(made, concept=asked, synonyms=tuple(n for n in known if n != asked))


def _named_only(case: Case) -> Iterator[Question | None]:
    """Asked in the same words: the record names it, and says that the patient does not have it."""
    life, ledger, lang = case.life, case.ledger, case.life.person.lang
    has = set(_stated(case))
    findings = [f for e in life.encounters for f in e.findings]
    clear = {k for k, row in load("symptoms.toml").items() if row.get("clear")}
    denied = sorted({f.symptom for f in findings if ("symptom", f.symptom) not in has and f.symptom in clear})
    for symptom in case.dice.some(denied, 5):
        gold = [s for f in findings if f.symptom == symptom for s in ledger.spans(f.fact_id, "finding")]
        yield _negative(case, "denied", "symptom", names("symptom", symptom, lang)[0], "denied", gold)
    for problem in case.dice.some([p for p in life.problems if p.status == "ruled_out"], 4):
        if ("condition", problem.key) not in has:
            gold = ledger.spans(problem.fact_id, "ruled_out")
            yield _negative(case, "denied", "condition", names("excluded", problem.key, lang)[0], "ruled_out", gold)
    for fact in life.backgrounds:
        gold = ledger.spans(fact.fact_id, "background")
        if fact.topic == "tolerated":
            yield _negative(case, "denied", "allergen", names("allergen", fact.key, lang)[0], "tolerated", gold)
        if fact.topic in ("family", "family_none") and ("condition", fact.key) not in has:
            pool = "condition" if fact.key in load("conditions.toml") else "pool_condition"
            status = "family_only" if fact.topic == "family" else "family_denied"
            yield _negative(case, "family_vs_patient", "condition", names(pool, fact.key, lang)[0], status, gold)


def _negative(case: Case, kind: Kind, about: str, thing: str, status: str, gold: list[Span]) -> Question | None:
    answer = {"type": "status", "status": status, "text": status.replace("_", " ")}
    return case.question(kind, f"q_record_{about}", {"thing": thing}, answer, gold, about=about)


def _stated(case: Case) -> dict[tuple[str, str], list[Span]]:
    """Concepts the record affirms of the patient, with the sentences."""
    life, ledger = case.life, case.ledger
    found: dict[tuple[str, str], list[Span]] = {}

    def add(kind: str, key: str, spans: list[Span]) -> None:
        if spans:
            found.setdefault((kind, key), []).extend(spans)

    for problem in life.problems:
        if problem.status == "active":
            add("condition", problem.key, ledger.spans(problem.fact_id, "problem"))
    for dose in life.doses:
        add("drug", dose.drug, ledger.spans(dose.fact_id, "dose"))
    for procedure in life.procedures:
        add("procedure", procedure.key, ledger.spans(procedure.fact_id, "done"))
    topics = {"allergy": "allergen", "past_condition": "condition", "past_procedure": "procedure", "past_drug": "drug"}
    for fact in life.backgrounds:
        if fact.topic in topics:
            add(topics[fact.topic], fact.key, ledger.spans(fact.fact_id, "background"))
    for finding in [f for e in life.encounters for f in e.findings if f.present]:
        add("symptom", finding.symptom, ledger.spans(finding.fact_id, "finding"))
    for analyte, row in load("analytes.toml").items():
        if row["panel"] in ("single", "extra"):
            add("test", analyte, [s for r in life.of(analyte)[:4] for s in ledger.spans(r.fact_id, "value")])
    return found


def _not_about_patient(case: Case, kind: str, key: str) -> list[Span]:
    """Sentences that name the concept without affirming it of the patient."""
    life, ledger = case.life, case.ledger
    spans = ledger.spans(f"drug:{key}", "decoy", why="not the patient's dose") if kind == "drug" else []
    for fact in life.backgrounds:
        if fact.key == key and fact.topic in ("family", "family_none", "tolerated"):
            spans += ledger.spans(
                fact.fact_id, "background", why="family" if fact.topic != "tolerated" else "tolerated"
            )
    for problem in life.problems:
        if problem.key == key and problem.status == "ruled_out":
            spans += ledger.spans(problem.fact_id, "ruled_out", why="ruled out")
    for finding in [f for e in life.encounters for f in e.findings if f.symptom == key and not f.present]:
        spans += ledger.spans(finding.fact_id, "finding", why="denied")
    return spans
