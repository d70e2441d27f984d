"""The form of the clinical word lists, and the promises that a checker builds on."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable

import pytest

from chartcite.facts.drugs import combinations, drug_classes, generic_name, listed_classes, listed_drugs
from chartcite.facts.entailment import opaque_phrases, site_words
from chartcite.facts.lexicon import FACTS, read_rows, read_words
from chartcite.facts.tokens import fold, tokenise
from chartcite.verification.concepts import DATA

GROUPS = ("abbreviations.tsv", "brand_generic.tsv", "synonyms.tsv")
COLUMNS = {
    "abbreviations_ambiguous.tsv": 3,
    "combination_products.tsv": 2,
    "drug_classes.tsv": 3,
    "drugs.tsv": 2,
    "opaque.tsv": 2,
    "sites.tsv": 3,
}


def key(spelling: str) -> str:
    """Two capital letters stay as they are: the reader of the groups takes them so."""
    if len(spelling) <= 2 and spelling.isupper():
        return spelling
    return " ".join(token.text for token in tokenise(spelling) if not token.is_mark)


@pytest.mark.parametrize("name", [*GROUPS, "abbreviations_cased.tsv", "generalisations.tsv", *COLUMNS])
def test_lines_are_well_formed(name: str) -> None:
    for row in read_rows(FACTS, name):
        assert len(row) == COLUMNS[name] if name in COLUMNS else len(row) > 1, row
        for cell in row:
            assert cell == cell.strip(), row
            assert "||" not in cell, row
            assert not cell.startswith("|"), row
        first = [key(cell) for cell in row]
        assert name not in GROUPS or ("" not in first and len(first) == len(set(first))), row


@pytest.mark.parametrize("name", GROUPS)
def test_no_group_holds_two_that_exclude_each_other(name: str) -> None:
    members: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for n, row in enumerate(read_rows(DATA, "opposites.tsv")):
        for m, spellings in enumerate(row):
            for spelling in spellings.split("|"):
                members[key(spelling)].add((n, m))
    for group in read_rows(FACTS, name):
        seen: dict[int, set[int]] = defaultdict(set)
        for spelling in group:
            for n, m in members[key(spelling)]:
                seen[n].add(m)
        assert all(len(found) == 1 for found in seen.values()), group


def test_no_spelling_excludes_itself() -> None:
    for row in read_rows(DATA, "opposites.tsv"):
        members = [{key(spelling) for spelling in member.split("|")} for member in row]
        assert len(row) > 1, row
        assert len(set().union(*members)) == sum(map(len, members)), row


def test_an_abbreviation_has_one_group() -> None:
    home: dict[str, list[str]] = defaultdict(list)
    for group in read_rows(FACTS, "abbreviations.tsv"):
        for spelling in group:
            home[key(spelling)].append(group[0])
    twice = {spelling: groups for spelling, groups in home.items() if len(groups) > 1}
    assert not twice


def test_ambiguous_and_case_bound_abbreviations_are_in_no_group() -> None:
    plain = {key(spelling) for name in GROUPS for group in read_rows(FACTS, name) for spelling in group}
    abbreviations = {key(spelling) for group in read_rows(FACTS, "abbreviations.tsv") for spelling in group}
    cased = {group[0] for group in read_rows(FACTS, "abbreviations_cased.tsv")}
    ambiguous = {row[0] for row in read_rows(FACTS, "abbreviations_ambiguous.tsv")}
    # In other letters these are another abbreviation.
    assert {short for short in cased if key(short) in abbreviations} == {"CAP", "PsA", "TAB"}
    assert not ambiguous & cased
    # One meaning prevails by far: it stays in its group, and the context only tells when it is another.
    prevailing = {"CVA", "D/C", "NPH", "PA", "EV", "LN", "LP", "PVD", "Tx", "tx", "IOL"}
    assert {short for short in ambiguous if key(short) in plain} == prevailing


def test_no_group_hides_a_denial_or_a_stop_in_a_phrase() -> None:
    hidden = {"no", "not", "without", "denies", "denied", "stopped", "held", "hold", "refused", "avoid", "allergic"}
    idioms = {
        "no change", "without change", "not changed", "no interval change", "no appetite", "no acute distress",
        "no apparent distress", "no known drug allergies", "no known drug allergy", "no known allergies",
        "do not resuscitate", "do not intubate", "no resuscitation", "no cpr", "no abnormality", "no abnormalities",
        "not normal", "no urine output", "no wall motion", "not compliant", "not adherent", "not taking as prescribed",
        "allergic rhinitis", "seasonal allergic rhinitis", "allergic reaction", "no energy",
    }  # fmt: skip
    for name in GROUPS:
        for group in read_rows(FACTS, name):
            for spelling in group:
                words = key(spelling).split()
                portuguese = {"no"} if any(w in words for w in _PORTUGUESE_NO) else set()
                if len(words) > 1 and key(spelling) not in idioms:
                    assert not (hidden - portuguese).intersection(words), group


_PORTUGUESE_NO = ("dor", "chiado", "zumbido", "agua", "pedra", "gordura", "acucar", "lucido")


def test_every_class_and_component_is_known() -> None:
    for name in listed_drugs():
        assert drug_classes(name), name
        assert all(listed_classes()[one].spellings for one in drug_classes(name))
    assert all(group[0] in listed_drugs() for group in read_rows(FACTS, "brand_generic.tsv"))


def test_every_site_is_part_of_a_listed_one_and_of_itself_only_once() -> None:
    names = {row[0] for row in read_rows(FACTS, "sites.tsv")}
    for name, _, wholes in read_rows(FACTS, "sites.tsv"):
        assert {w for w in wholes.split("|") if w} <= names - {name}


def test_nothing_entails_itself_by_a_loop() -> None:
    direct: dict[str, set[str]] = defaultdict(set)
    for specific, *general in read_rows(FACTS, "generalisations.tsv"):
        direct[specific].update(general)
    for start, first in direct.items():
        seen: set[str] = set()
        waiting = list(first)
        while waiting:
            one = waiting.pop()
            assert one != start, start
            if one not in seen:
                seen.add(one)
                waiting.extend(direct.get(one, ()))


def test_no_drug_is_in_two_groups_of_drugs_by_its_own_name_and_another() -> None:
    heads: dict[str, set[str]] = defaultdict(set)
    for generic, *others in read_rows(FACTS, "brand_generic.tsv"):
        for name in others:
            heads[fold(name)].add(generic)
    assert not {name: found for name, found in heads.items() if len(found) > 1}


def test_words_that_differ_clinically_share_no_group() -> None:
    pairs = [
        ("metoprolol succinate", "metoprolol tartrate"), ("Flonase", "Flovent"), ("prednisone", "prednisolone"),
        ("hydroxyzine", "hydralazine"), ("hypertension", "hypotension"), ("stroke", "TIA"), ("cyst", "abscess"),
        ("nausea", "vomiting"), ("myocardial infarction", "cardiac arrest"), ("STEMI", "NSTEMI"), ("CKD", "ESRD"),
        ("osteoarthritis", "rheumatoid arthritis"), ("sprain", "strain"), ("syncope", "presyncope"),
        ("Crohn's disease", "ulcerative colitis"), ("dysphagia", "odynophagia"), ("ileus", "bowel obstruction"),
        ("palliative care", "comfort care"), ("OxyContin", "Roxicodone"), ("folic acid", "folinic acid"),
        ("insulin glargine", "insulin lispro"), ("discharge", "sent home"), ("vitamin D3", "vitamin D2"),
        ("thoracentesis", "paracentesis"), ("mastectomy", "lumpectomy"), ("polyuria", "urinary frequency"),
        ("adverse event", "adverse reaction"), ("bacteremia", "sepsis"), ("Lantus", "Toujeo"), ("MS", "PT"),
    ]  # fmt: skip
    homes: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for name in GROUPS:
        for n, group in enumerate(read_rows(FACTS, name)):
            for spelling in group:
                homes[key(spelling)].add((name, n))
    assert not [pair for pair in pairs if homes[key(pair[0])] & homes[key(pair[1])]]


def test_the_lists_are_as_broad_as_promised() -> None:
    rows = {name: len(read_rows(FACTS, name)) for name in (*GROUPS, *COLUMNS, "generalisations.tsv")}
    assert rows["abbreviations.tsv"] >= 600
    assert rows["brand_generic.tsv"] >= 500
    assert rows["drugs.tsv"] >= 700
    assert rows["synonyms.tsv"] >= 1450
    assert rows["generalisations.tsv"] >= 400
    assert len(read_rows(DATA, "opposites.tsv")) >= 100
    assert len(read_words(FACTS, "body_parts.tsv")) >= 300


@pytest.mark.parametrize("load", [listed_drugs, opaque_phrases, site_words])
def test_a_list_loads_in_a_moment(load: Callable[[], object]) -> None:
    start = time.process_time()
    assert load()
    assert time.process_time() - start < 0.5


def test_drugs_are_known_by_every_name() -> None:
    assert generic_name("Tylenol") == generic_name("paracetamol") == "acetaminophen"
    assert generic_name("frusemide") == "furosemide"
    assert "beta blocker" in drug_classes("bisoprolol")
    assert "antibiotic" in drug_classes("Rocephin")
    assert "anticoagulant" in drug_classes("Eliquis")
    assert "analgesic" in drug_classes("Percocet")
    assert {"fluticasone", "salmeterol"} <= set(combinations()["fluticasone-salmeterol"])
