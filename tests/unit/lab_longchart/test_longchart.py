"""The generator: same bytes, exact spans, honest gold."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from chartcite.lab.longchart import generate
from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Life
from chartcite.lab.longchart.generate import questions_of, records
from chartcite.lab.longchart.lexicon import Lang
from chartcite.lab.longchart.notes.grammar import expand, join, of_split, phrases
from chartcite.lab.longchart.notes.paper import Note
from chartcite.lab.longchart.questions.model import KINDS, Question
from chartcite.lab.longchart.questions.presence import plain

SEED = 11
MIX = {"en": 0.6, "pt": 0.4}
Records = list[tuple[Life, list[Note]]]


@pytest.fixture(scope="module")
def everybody() -> Records:
    return [(life, list(notes)) for life, notes in records(5, SEED, MIX, scale=0.35)]


@pytest.fixture(scope="module")
def asked(everybody: Records) -> list[Question]:
    return questions_of(everybody, SEED)


@pytest.fixture(scope="module")
def texts(everybody: Records) -> dict[str, str]:
    return {note.doc_id: note.text for _, notes in everybody for note in notes}


@pytest.fixture(scope="module")
def lives(everybody: Records) -> dict[str, Life]:
    return {life.person.patient_id: life for life, _ in everybody}


# -- the same bytes


def test_two_hash_seeds_give_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys; from chartcite.lab.longchart import generate; "
        "generate(3, 5, {'en': 0.67, 'pt': 0.33}, sys.argv[1], scale=0.25)"
    )
    digests = []
    for hash_seed in ("0", "4242"):
        folder = tmp_path / hash_seed
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        subprocess.run([sys.executable, "-c", code, str(folder)], check=True, env=env, timeout=500)
        digest = hashlib.sha256()
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
        digests.append(digest.hexdigest())
    assert digests[0] == digests[1]


def test_another_seed_gives_other_text() -> None:
    one, two = (records(1, seed, {"en": 1}, scale=0.05)[0][1] for seed in (1, 2))
    assert {n.text for n in one}.isdisjoint(n.text for n in two)


def test_draws_are_pinned() -> None:
    # Python guarantees `random()` only; everything is built on it, so these may never change.
    dice = Dice(20, "pinned")
    assert [dice.between(1, 100) for _ in range(5)] == PINNED_NUMBERS
    assert dice.shuffled(list("abcdef")) == list(PINNED_LETTERS)


PINNED_NUMBERS = [83, 4, 29, 95, 66]
PINNED_LETTERS = "edfabc"


# -- spans and files


def test_spans_are_exact(asked: list[Question], texts: dict[str, str]) -> None:
    checked = 0
    for question in asked:
        for span in (*question.gold, *question.must_not_cite):
            assert texts[span.doc_id][span.start : span.end] == span.quote
            assert span.quote == span.quote.strip() != ""
            checked += 1
    assert checked > 5000


def test_mentions_do_not_cross_paragraphs(everybody: Records) -> None:
    for _, notes in everybody:
        for note in notes:
            assert all("\n\n" not in note.text[m.start : m.end] for m in note.mentions)


def test_names_follow_the_folder_convention(texts: dict[str, str]) -> None:
    pattern = re.compile(r"lc-(?:en|pt)-\d\d/\d{4}-\d\d-\d\d_\d{4}_[a-z]+(?:-[a-z]+)*(?:_\d+)?\.txt")
    assert all(pattern.fullmatch(doc_id) for doc_id in texts)


def test_gold_and_forbidden_sentences_differ(asked: list[Question]) -> None:
    for question in asked:
        gold = {(s.doc_id, s.start) for s in question.gold}
        assert not gold & {(s.doc_id, s.start) for s in question.must_not_cite}


def test_as_of_uses_nothing_later(asked: list[Question]) -> None:
    for question in asked:
        if question.as_of:
            assert all(span.doc_id.split("/")[1][:10] <= question.as_of for span in question.gold)


def test_every_part_of_an_answer_has_a_sentence(asked: list[Question]) -> None:
    for question in asked:
        parts = {s.part for s in question.gold if s.part >= 0}
        assert parts == set(range(len(parts)))
        assert bool(parts) == question.answerable or question.kind == "multiple_choice"


# -- splits, twins, absence


def test_splits_share_no_patient_and_no_family(everybody: Records, asked: list[Question]) -> None:
    patients: dict[str, set[str]] = {"dev": set(), "test": set()}
    families: dict[str, set[str]] = {"dev": set(), "test": set()}
    for question in asked:
        patients[question.split].add(question.patient_id)
        families[question.split] |= {f"{question.lang}/{f}" for f in question.family.split("/") if f != "choice"}
    for life, notes in everybody:
        said = {
            m.family
            for n in notes
            for m in n.mentions
            if len(phrases(life.person.lang).get(m.family.split("#")[0], ())) >= 4
        }
        families[life.person.split] |= {f"{life.person.lang}/{f}" for f in said}
    fixed = {
        f"{lang}/{k}#{n}"
        for lang in ("en", "pt")
        for k, rows in phrases("en").items()
        if len(rows) < 4
        for n in range(3)
    }
    assert patients["dev"]
    assert patients["test"]
    assert not patients["dev"] & patients["test"]
    assert not (families["dev"] & families["test"]) - fixed


def test_a_key_is_halved_between_the_splits() -> None:
    rows = phrases("en")["start"]
    dev, test = of_split(rows, "dev"), of_split(rows, "test")
    assert set(dev) | set(test) == set(rows)
    assert not set(dev) & set(test)


def test_twins_share_drugs_and_differ_in_doses_and_values(everybody: Records, lives: dict[str, Life]) -> None:
    twins = [life for life, _ in everybody if life.person.twin]
    assert len(twins) >= 2
    for life in twins:
        other = lives[life.person.twin]
        assert other.person.twin == life.person.patient_id
        assert other.person.split == life.person.split
        assert life.person.name != other.person.name
        mine, theirs = ({d.drug for d in x.doses if not d.inpatient} for x in (life, other))
        assert len(mine & theirs) >= 2
        assert {(d.drug, d.amount, d.start) for d in life.doses} != {(d.drug, d.amount, d.start) for d in other.doses}
        assert [r.shown for r in life.results] != [r.shown for r in other.results]


def test_twin_sentences_are_forbidden(asked: list[Question], lives: dict[str, Life]) -> None:
    foreign = [(q, s) for q in asked for s in q.must_not_cite if s.why == "twin"]
    assert foreign
    assert all(s.doc_id.startswith(lives[q.patient_id].person.twin + "/") for q, s in foreign)


def test_absent_is_absent(everybody: Records, asked: list[Question]) -> None:
    whole = {notes[0].patient_id: plain("\n".join(n.text for n in notes)) for _, notes in everybody}
    absent = [q for q in asked if q.kind == "absent"]
    assert len(absent) >= 40 * len(everybody)
    for question in absent:
        for name in (question.concept, *question.synonyms):
            assert not re.search(rf"(?<!\w){re.escape(plain(name))}(?!\w)", whole[question.patient_id]), name


# -- the gold, worked out again


def test_latest_value_again(asked: list[Question], lives: dict[str, Life]) -> None:
    checked = 0
    for question in asked:
        if question.kind == "latest" and question.about == "value":
            life = lives[question.patient_id]
            right = next(r for e in life.encounters for r in e.results if r.fact_id == question.facts[0])
            rest = [r for e in life.encounters for r in e.results if r.analyte == right.analyte]
            if question.as_of:
                rest = [r for r in rest if r.at.date() <= date.fromisoformat(question.as_of)]
            newest = max(rest, key=lambda r: r.at)
            assert (newest.shown, newest.unit) == (question.answer["value"], question.answer["unit"])
            checked += 1
    assert checked > 20


def test_change_again(asked: list[Question]) -> None:
    checked = 0
    for question in asked:
        if question.kind == "change" and question.about == "value" and not question.answer["converted"]:
            low, high = question.answer["from"]["number"], question.answer["to"]["number"]
            assert abs((high - low) - question.answer["delta"]) < 0.006
            assert question.answer["direction"] == ("up" if high > low else "down")
            checked += 1
    assert checked > 5


def test_medication_list_again(asked: list[Question], lives: dict[str, Life]) -> None:
    checked = 0
    for question in asked:
        if question.kind == "current_medications_as_of":
            day = date.fromisoformat(question.as_of)
            expected = Counter(
                (d.amount, d.freq)
                for d in lives[question.patient_id].doses
                if not d.inpatient and d.start <= day and (d.end is None or d.end > day)
            )
            assert expected == Counter((i["amount"], i["frequency"]) for i in question.answer["items"])
            checked += 1
    assert checked > 5


def test_durations_and_orders_again(asked: list[Question]) -> None:
    durations = [q.answer for q in asked if q.kind == "duration"]
    orders = [q.answer for q in asked if q.kind == "order"]
    assert durations
    assert orders
    for answer in durations:
        assert (date.fromisoformat(answer["to"]) - date.fromisoformat(answer["from"])).days == answer["days"] > 0
    for answer in orders:
        assert answer["first_date"] < answer["second_date"]
        assert answer["first"] != answer["second"]


def test_dose_counts_again(asked: list[Question], lives: dict[str, Life]) -> None:
    checked = 0
    for question in asked:
        if question.kind == "count" and question.about == "dose":
            events = [e for x in lives[question.patient_id].encounters for e in x.events]
            drug = next(e.drug for e in events if e.fact_id == question.facts[0])
            assert sum(e.drug == drug and e.action == "change" for e in events) == question.answer["count"]
            checked += 1
    assert checked > 3


def test_values_stand_in_their_gold_sentences(asked: list[Question]) -> None:
    for question in asked:
        if question.answer["type"] == "value":
            shown = str(question.answer["value"])
            forms = {shown, shown.replace(".", ",")} if question.lang == "pt" else {shown}
            assert all(any(f in s.quote for f in forms) for s in question.gold if s.part == 0), question.text


def test_choices_hold_their_answer(asked: list[Question]) -> None:
    choices = [q for q in asked if q.kind == "multiple_choice"]
    assert choices
    for question in choices:
        assert len(set(question.options)) == 5
        assert question.options[question.answer["option"]] == question.answer["text"]
        assert (question.answer["option"] == 4) == (not question.answerable)


def test_counts_by_kind(asked: list[Question]) -> None:
    counts = Counter(q.kind for q in asked)
    assert set(counts) == set(KINDS)
    assert len({(q.patient_id, q.kind, q.text, q.as_of) for q in asked}) == len(asked)


# -- writing


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("longchart") / "out"
    generate(2, 3, {"en": 0.5, "pt": 0.5}, folder, scale=0.15)
    return folder


def test_files_agree_with_each_other(written: Path) -> None:
    rows = [json.loads(line) for line in (written / "notes.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        assert (written / "notes" / row["doc_id"]).read_text("utf-8") == row["text"]
    manifest = json.loads((written / "manifest.json").read_text("utf-8"))
    questions = (written / "questions.jsonl").read_text("utf-8").splitlines()
    assert manifest["counts"]["notes"] == len(rows)
    assert manifest["counts"]["questions"] == len(questions)
    for name, digest in manifest["sha256"].items():
        if not name.endswith("/"):
            assert hashlib.sha256((written / name).read_bytes()).hexdigest() == digest


def test_fhir_is_whole(written: Path) -> None:
    by_doc = {
        row["fhir_id"]: row["text"]
        for row in map(json.loads, (written / "notes.jsonl").read_text("utf-8").splitlines())
    }
    for path in (written / "fhir" / "bundles").glob("*.json"):
        bundle = json.loads(path.read_text("utf-8"))
        resources = [entry["resource"] for entry in bundle["entry"]]
        known = {f"{r['resourceType']}/{r['id']}" for r in resources}
        assert len(known) == len(resources)
        for resource in resources:
            assert re.fullmatch(r"[A-Za-z0-9.\-]{1,64}", resource["id"])
            for reference in re.findall(r'"reference": "([^"]+)"', json.dumps(resource)):
                assert reference in known
            if resource["resourceType"] == "DocumentReference":
                data = base64.b64decode(resource["content"][0]["attachment"]["data"]).decode("utf-8")
                assert data == by_doc[resource["id"]]
    bulk = [line for p in (written / "fhir" / "bulk").glob("*.ndjson") for line in p.read_text("utf-8").splitlines()]
    assert len(bulk) == sum(
        len(json.loads(p.read_text("utf-8"))["entry"]) for p in (written / "fhir" / "bundles").glob("*")
    )


def test_qrels_name_known_notes(written: Path) -> None:
    for line in (written / "qrels.txt").read_text("utf-8").splitlines():
        _, zero, doc_id, grade = line.split()
        assert zero == "0"
        assert grade in "12"
        assert (written / "notes" / doc_id).is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"patients": 0}, "at least 1"),
        ({"language_mix": {"de": 1}}, "unknown language"),
        ({"formats": ("pdf",)}, "unknown format"),
    ],
)
def test_wrong_arguments_are_named(tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        generate(out=tmp_path / "x", **arguments)  # type: ignore[arg-type]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(ValueError, match="not empty"):
        generate(1, out=tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "keep"


# -- phrases


def test_articles_and_capitals_agree() -> None:
    def say(template: str, x: str = "") -> str:
        return join(expand(template, {"x": x}, Dice(1)))

    assert say("because of a(n) {x} of 3", "INR") == "Because of an INR of 3"
    assert say("a(n) {x}", "uric acid") == "A uric acid"
    assert say("a(n) {x}", "eGFR") == "An eGFR"
    assert say("{x} is low", "eGFR") == "eGFR is low"
    assert say("seen [today|today] , well .") == "Seen today, well."


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_phrase_files_are_balanced(lang: Lang) -> None:
    for rows in phrases(lang).values():
        for row in rows:
            assert row.template.count("[") == row.template.count("]"), row
            assert row.template.count("{") == row.template.count("}"), row


def test_events_are_told_on_their_day_or_with_their_date(everybody: Records) -> None:
    """A sentence without a date ("Stopped today") may only stand in a note of the day of the decision."""
    undated = ("start#", "up#", "down#", "stop#", "hold#", "resume#", "finish#")
    for life, notes in everybody:
        days = {e.fact_id: e.at.date() for e in life.events}
        for note in notes:
            for mention in note.mentions:
                if mention.aspect == "event" and mention.family.startswith(undated):
                    assert note.at.date() == days[mention.fact_id], note.text[mention.start : mention.end]


def test_copied_lists_are_no_gold_once_the_dose_has_ended(asked: list[Question], lives: dict[str, Life]) -> None:
    for question in asked:
        if question.answer.get("type") == "dose" and question.kind in ("latest", "value_at", "cross_note"):
            dose = next((d for d in lives[question.patient_id].doses if d.fact_id == question.facts[0]), None)
            for span in question.gold if dose is not None and dose.end else ():
                if span.copied and span.part == 0:
                    assert date.fromisoformat(span.doc_id.split("/")[1][:10]) <= dose.end  # type: ignore[operator,union-attr]


def test_values_without_a_date_are_of_the_day_of_the_note(everybody: Records) -> None:
    for life, notes in everybody:
        days = {r.fact_id: r.at.date() for r in life.results}
        for note in notes:
            for mention in note.mentions:
                if mention.family.startswith("value_today#"):
                    assert note.at.date() == days[mention.fact_id], note.text[mention.start : mention.end]
