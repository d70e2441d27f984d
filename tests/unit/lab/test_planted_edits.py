"""The generator of planted edits: same seed same bytes, labels right by construction, splits apart, no rules inside."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from chartcite.lab.cases import Claim, CorpusItem
from chartcite.lab.datasets.planted_edits import DATASET
from chartcite.lab.errors import BadTable, MissingData
from chartcite.lab.longchart.dice import Dice
from chartcite.lab.planted_edits import TRUE_KINDS, WRONG_KINDS, Sizes, generate
from chartcite.lab.planted_edits.draw import Bench, invent
from chartcite.lab.planted_edits.lexicon import SPLITS, form, rows_of
from chartcite.lab.planted_edits.model import Fact, Lang, Split, Value
from chartcite.lab.planted_edits.shapes import Edit, Shape, families, shapes, templates
from chartcite.lab.planted_edits.writer import details_of
from chartcite.lab.planted_edits.wrong import same_substance, spoil

SIZES = Sizes(3, 3, 3, 3)
LANGS: tuple[Lang, ...] = ("en", "pt")
CLOSED = ("codes", "conversions", "numbers")  # not words of a split


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted") / "out"
    generate(7, folder, SIZES)
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "claims.jsonl").read_text("utf-8").splitlines()]


def _cited(row: dict[str, Any]) -> list[str]:
    return [source["text"] for source in row["sources"] if source["id"] in row["citations"]]


def test_same_seed_same_bytes_and_another_seed_other_claims(folder: Path, tmp_path: Path) -> None:
    generate(7, tmp_path / "again", SIZES)
    generate(8, tmp_path / "other", SIZES)
    for name in ("claims.jsonl", "manifest.json"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
    assert (tmp_path / "other" / "claims.jsonl").read_bytes() != (folder / "claims.jsonl").read_bytes()


def test_as_many_of_every_kind_as_asked_for(folder: Path, rows: list[dict[str, Any]]) -> None:
    counted = Counter((r["split"], r["language"], r["kind"]) for r in rows)
    wanted = [(s, lang, k) for s in SPLITS for lang in LANGS for k in (*WRONG_KINDS, *TRUE_KINDS)]
    assert counted == dict.fromkeys(wanted, 3)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["counts"]["claims"] == len(rows)
    assert manifest["counts"]["wrong"] == sum(not r["supported"] for r in rows)
    assert len({r["id"] for r in rows}) == len(rows)


def test_the_default_sizes_are_those_promised() -> None:
    sizes = Sizes()
    assert (sizes.of("negation", "en"), sizes.of("negation", "pt")) == (200, 100)
    assert sizes.of("voice", "en") * len(TRUE_KINDS) >= 1000
    assert sizes.of("voice", "pt") * len(TRUE_KINDS) >= 300


def test_every_claim_cites_sentences_of_its_note_and_none_copies_one(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert row["supported"] == (row["kind"] in TRUE_KINDS)
        assert row["citations"]
        assert set(row["citations"]) <= {source["id"] for source in row["sources"]}
        assert row["claim"] not in [source["text"] for source in row["sources"]]
        if row["kind"] == "two_sentences":
            assert len(row["citations"]) >= 2
        if row["kind"] == "wrong_citation":
            assert len(row["citations"]) < len(row["sources"])


def test_an_added_detail_is_in_no_cited_sentence(rows: list[dict[str, Any]]) -> None:
    for row in (r for r in rows if r["kind"] == "added_detail"):
        shape = row["family"].split(".")[1]
        found = [d for d in details_of(row["language"], row["split"])[shape] if row["claim"].endswith(f"{d}.")]
        assert len(found) == 1
        assert not any(found[0].strip(", ") in text for text in _cited(row))


def test_splits_share_neither_families_nor_words(rows: list[dict[str, Any]]) -> None:
    used: dict[str, set[str]] = {split: set() for split in SPLITS}
    for row in rows:
        used[row["split"]] |= set(row["family"].replace(">", "+").split("+"))
    assert not used["dev"] & used["test"]
    for lang in LANGS:
        for path in (files("chartcite.lab.planted_edits") / "data" / lang).iterdir():
            name = path.name.removesuffix(".tsv")
            if path.name.endswith(".tsv") and name not in CLOSED:
                dev, test = ({json.dumps(r) for r in rows_of(lang, name, split)} for split in SPLITS)
                assert dev, name
                assert test, name
                assert not dev & test, name


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("split", SPLITS)
def test_every_fact_can_be_told_and_claimed(lang: Lang, split: Split) -> None:
    for shape in shapes().values():
        for variant in shape.variants:
            for section in ("evidence", "claim"):
                found = [t for t in families(lang, shape.name, split, section) if t.suits(variant)]
                assert found, (lang, split, shape.name, variant, section)


def test_there_are_many_ways_to_say_things() -> None:
    def told(lang: Lang) -> int:
        return sum(t.section.startswith("evidence") for shape in shapes() for t in templates(lang, shape))

    assert len(shapes()) >= 12
    assert told("en") >= 60
    assert told("pt") >= 60


def test_portuguese_words_have_a_gender() -> None:
    for name in ("drugs", "symptoms", "diseases", "sites", "places", "services", "analytes", "events"):
        for split in SPLITS:
            assert all(form(row["name"]).gender for row in rows_of("pt", name, split)), name


def _spoilt(lang: Lang) -> list[tuple[Shape, Edit, Fact, Fact]]:
    found = []
    for shape in shapes().values():
        for edit in shape.edits:
            for n in range(8):
                bench = Bench(lang, SPLITS[n % 2], Dice(lang, shape.name, *edit.arguments, edit.kind, n))
                before = edit.arguments[0].partition(">")[0] if edit.operation == "variant" else ""
                fact = invent(shape, before or bench.dice.pick(shape.variants), bench)
                done = spoil(shape, fact, edit, bench)
                if done is not None:
                    found.append((shape, edit, fact, done[0]))
    return found


def _number(value: Value) -> Decimal:
    assert value.number is not None
    return value.number


@pytest.mark.parametrize("lang", LANGS)
def test_an_edit_makes_the_fact_untrue(lang: Lang) -> None:
    made = _spoilt(lang)
    assert {edit.kind for _, edit, _, _ in made} == set(WRONG_KINDS) - {"wrong_citation", "added_detail"}
    for shape, edit, fact, spoilt in made:
        assert (spoilt.variant, spoilt.slots) != (fact.variant, fact.slots), (shape.name, edit)
        if edit.operation in ("variant", "swap"):
            continue
        old, new = (f.slots[edit.arguments[0]] for f in (fact, spoilt))
        assert old.key != new.key
        if edit.kind == "drug_swap":
            assert not same_substance(old, new)
        if edit.kind == "frequency":
            assert old.row["perday"] != new.row["perday"]
        if edit.kind == "unit":
            assert (old.number, old.unit != new.unit) == (new.number, True)
        if edit.kind in ("value", "decimal_shift"):
            away = abs(_number(new) - _number(old))
            assert away >= Decimal("0.02") * _number(old)
            assert new.forms["usual"].text not in {f.text for f in old.forms.values()}


def test_a_bound_that_is_implied_is_no_wrong_value() -> None:
    for shape, edit, fact, spoilt in _spoilt("en"):
        if shape.name == "threshold" and edit.kind == "value":
            above = fact.slots["comp"].key in ("gt", "ge")
            assert (_number(spoilt.slots["value"]) > _number(fact.slots["value"])) == above


def test_combinations_count_as_each_of_their_substances() -> None:
    one, two, three = (
        Value("drug", key, {}) for key in ("trimethoprim-sulfamethoxazole", "trimethoprim", "cephalexin")
    )
    assert same_substance(one, two)
    assert not same_substance(one, three)


def test_it_loads_none_of_the_rules_that_it_tests() -> None:
    rules = ("chartcite.facts", "chartcite.verification", "chartcite.text")
    code = f"import sys, chartcite.lab.planted_edits; print([m for m in sys.modules if m.startswith({rules!r})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_full_folder_is_left_alone(folder: Path) -> None:
    with pytest.raises(ValueError, match="not empty"):
        generate(7, folder, SIZES)


def test_the_adapter_yields_claims_with_what_they_cite(folder: Path, rows: list[dict[str, Any]]) -> None:
    claims, items = list(DATASET.claims(folder)), list(DATASET.corpus(folder))
    assert all(isinstance(c, Claim) for c in claims)
    assert all(isinstance(i, CorpusItem) for i in items)
    assert [(c.id, c.claim, c.split, c.group, c.lang) for c in claims] == [
        (r["id"], r["claim"], r["split"], r["kind"], r["language"]) for r in rows
    ]
    assert [list(c.context) for c in claims] == [_cited(r) for r in rows]
    assert {c.label for c in claims if c.group in TRUE_KINDS} == {"supported"}
    assert {c.label for c in claims if c.group in WRONG_KINDS} == {"not_enough"}
    assert {i for c in claims for i in c.items} <= {i.id for i in items}
    assert len({i.id for i in items}) == len(items)
    cases = {c.id: [r.item_id for r in c.relevant] for c in DATASET.cases(folder)}
    assert cases == {r["id"]: r["citations"] if r["supported"] else [] for r in rows}


def test_the_adapter_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="The data set planted_edits is not in ") as caught:
        list(DATASET.claims(tmp_path))
    assert f"chartcite lab generate planted_edits --out {tmp_path}" in caught.value.advice
    (tmp_path / "claims.jsonl").write_text('{"id": "1"}\n', "utf-8")
    with pytest.raises(BadTable, match="no field 'sources'"):
        list(DATASET.claims(tmp_path))
