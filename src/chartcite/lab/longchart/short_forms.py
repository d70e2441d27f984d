"""Multiple choice and spans out of longchart's questions: computed gold in another form, from `questions.jsonl` alone.

Beside the choices that longchart makes itself: yes or no, the right option taken away (`none of the above`), the odd
one out, all of them, dates. A span's gold is where the short answer stands in a gold sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from chartcite.lab.longchart.dice import Dice

Row = Mapping[str, Any]
SPAN_KINDS = ("single_fact", "latest", "first", "value_at", "reason", "value_before", "value_after", "cross_note")
_AT_EVENT = ("value_before", "value_after", "cross_note")
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "yes": "yes", "no": "no", "none": "None of the above", "all": "All of the above",
        "cannot": "Cannot be determined",
        "not_taken": "Which of these drugs was the patient NOT taking on {day}?",
        "taken": "Which of these drugs was the patient taking on {day}?",
    },
    "pt": {
        "yes": "sim", "no": "não", "none": "Nenhuma das anteriores", "all": "Todas as anteriores",
        "cannot": "Não é possível responder",
        "not_taken": "Qual destes medicamentos a paciente não tomava em {day}?",
        "taken": "Qual destes medicamentos a paciente tomava em {day}?",
    },
}  # fmt: skip
_YES_NO = re.compile(
    r"(?:Did|Does|Was|Were|Is|Are|Had|Has|A paciente|O paciente|Houve|Tinha|Havia)\b(?!.*\b(?:or|ou)\b)"
)


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """A multiple choice. `right` is the place of the right option."""

    id: str
    patient_id: str
    lang: str
    kind: str
    question: str
    options: tuple[str, ...]
    right: int
    as_of: str | None


@dataclass(frozen=True, slots=True)
class SpanItem:
    """A question with the places (doc_id, start, end) of its short answer and of the sentences that hold them."""

    id: str
    patient_id: str
    lang: str
    kind: str
    question: str
    answers: tuple[str, ...]
    places: tuple[tuple[str, int, int], ...]
    sentences: tuple[tuple[str, int, int], ...]
    as_of: str | None


def choices(rows: Sequence[Row], seed: int) -> Iterator[ChoiceItem]:
    """All that can be made of some rows, in their order."""
    drugs = _drugs(rows)
    for row in rows:
        dice = Dice(seed, "short forms", row["id"])
        if row["kind"] == "multiple_choice":
            yield _given(row)
            yield from _without_the_right_one(row, dice)
        elif row["kind"] in ("present", "denied") and row["answer"]["status"] in ("present", "denied"):
            yield from _yes_no(row)
        elif row["answer"]["type"] == "date":
            yield _date(row, dice)
        elif row["kind"] == "current_medications_as_of":
            yield from _lists(row, drugs, dice)


def _item(row: Row, kind: str, options: Sequence[str], right: str, question: str = "") -> ChoiceItem:
    return ChoiceItem(
        f"{row['id']}-{kind.replace(' ', '-')}", row["patient_id"], row["lang"], kind, question or row["question"],
        tuple(options), list(options).index(right), row["as_of"],
    )  # fmt: skip


def _given(row: Row) -> ChoiceItem:
    """As longchart made it."""
    kind = row["answer"]["of"]["type"] if row["answerable"] else "unanswerable"
    return _item(row, f"{kind} at an event" if _is_at_event(row) else kind, row["options"], row["answer"]["text"])


def _is_at_event(row: Row) -> bool:
    return "event_date" in row["answer"].get("of", ()) or row["family"].startswith("choice/q_dose_when")


def _without_the_right_one(row: Row, dice: Dice) -> Iterator[ChoiceItem]:
    """The right option and the way out leave, `none of the above` comes."""
    if not row["answerable"] or _is_at_event(row) or not dice.chance(0.5):
        return
    none = _WORDS[row["lang"]]["none"]
    yield _item(row, "none", [o for o in row["options"][:-1] if o != row["answer"]["text"]] + [none], none)


def _yes_no(row: Row) -> Iterator[ChoiceItem]:
    words = _WORDS[row["lang"]]
    if _YES_NO.match(row["question"]):
        right = "yes" if row["answer"]["status"] == "present" else "no"
        yield _item(row, f"yes or no: {right}", [words["yes"], words["no"], words["cannot"]], words[right])


def _date(row: Row, dice: Dice) -> ChoiceItem:
    day = date.fromisoformat(row["answer"]["date"])
    others = [day + timedelta(days=days) for days in dice.some([-365, -31, -7, 7, 30, 366], 3)]
    options = dice.shuffled([day.isoformat(), *(other.isoformat() for other in others)])
    return _item(row, "date", [*options, _WORDS[row["lang"]]["cannot"]], day.isoformat())


def _drugs(rows: Iterable[Row]) -> Mapping[tuple[str, str], set[str]]:
    """The drugs of each patient's lists, by language and patient."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        for item in row["answer"].get("items", ()):
            found[row["lang"], row["patient_id"]].add(item["drug"])
    return found


def _lists(row: Row, drugs: Mapping[tuple[str, str], set[str]], dice: Dice) -> Iterator[ChoiceItem]:
    """The odd one out, and all of them; days and drugs of the same row."""
    own = drugs[row["lang"], row["patient_id"]]
    taken = sorted({str(item["drug"]) for item in row["answer"]["items"]})
    foreign = sorted({d for (lang, _), some in drugs.items() if lang == row["lang"] for d in some} - own)
    words, day = _WORDS[row["lang"]], row["as_of"]
    if len(taken) >= 3 and foreign:
        other = dice.pick(foreign)
        options = dice.shuffled([*dice.some(taken, 3), other])
        yield _item(row, "odd one out", options, other, words["not_taken"].format(day=day))
        options = [*dice.some(taken, 3), words["all"]]
        yield _item(row, "all", options, words["all"], words["taken"].format(day=day))


def spans(rows: Iterable[Row]) -> Iterator[SpanItem]:
    """Questions whose short answer stands in a gold sentence, word for word."""
    for row in rows:
        answers = _answers(row)
        if row["kind"] not in SPAN_KINDS or not row["answerable"] or not answers:
            continue
        gold = [g for g in row["gold"] if g["part"] == 0]
        found = [(g, place) for g in gold for place in _places(g, answers)]
        if found:
            kind = f"{row['answer']['type']} at an event" if row["kind"] in _AT_EVENT else row["answer"]["type"]
            yield SpanItem(
                f"{row['id']}-span", row["patient_id"], row["lang"], kind, row["question"], answers,
                tuple(place for _, place in found), tuple((g["doc_id"], g["start"], g["end"]) for g, _ in found),
                row["as_of"],
            )  # fmt: skip


def _answers(row: Row) -> tuple[str, ...]:
    """The short answer as it may be written, the most special first."""
    answer, lang = row["answer"], row["lang"]
    match answer["type"]:
        case "value":
            short = [str(answer["value"])]
        case "dose":
            short = [f"{answer['amount']} {answer['unit']}"]
        case "text" | "reason":
            short = [str(answer["text"]), *map(str, answer.get("accept", ()))]
        case _:
            return ()
    local = [s.replace(".", ",") if lang == "pt" and re.search(r"\d\.\d", s) else s for s in short]
    return tuple(dict.fromkeys((*local, *short)))


def _places(gold: Mapping[str, Any], answers: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    for answer in answers:
        words = r"\s+".join(re.escape(word) for word in answer.split())
        found = re.search(rf"(?<![\w.,]){words}(?![\w]|[.,]\d)", gold["quote"], re.IGNORECASE)
        if found:
            yield gold["doc_id"], gold["start"] + found.start(), gold["start"] + found.end()
            return
