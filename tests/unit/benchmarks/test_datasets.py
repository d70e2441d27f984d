"""How the data sets' rows become claims to be checked, and which sources these are checked against."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import claims_experts
import claims_medec
import claims_nli4ct
import claims_scifact
from chartcite.lab.cases import Claim, CorpusItem, EvidenceSentence, SpoiltNote
from chartcite.lab.errors import MissingData

ABSTRACT = CorpusItem(
    "7", "", "T", ("Mice were studied.", "Aspirin lowers fever.", "More is needed.", "Aspirin helps.")
)
NOTE = SpoiltNote(
    "n", "", ("Seen today.", "Given Drug X.", "106/min", "Seen today."), True, "val", 1, "Given Drug X.",
    "Given Drug Y.", "treatment",
)  # fmt: skip


def test_scifact_labels_are_of_the_abstract() -> None:
    claim = Claim(
        "1", "Aspirin lowers fever in mice.", "dev", "contradicted", items=("7", "8", "7"),
        evidence=(EvidenceSentence("7", 1), EvidenceSentence("7", 1, 1), EvidenceSentence("7", 0, 1)),
    )  # fmt: skip
    other = CorpusItem("8", "", "T", ABSTRACT.sentences)
    corpus = {"7": ABSTRACT, "8": other}
    with_gold, without = claims_scifact.items([claim], corpus, "evidence")
    assert (with_gold.kind, with_gold.supported, [s.id for s in with_gold.sources]) == (
        "contradicted", False, ["7:0", "7:1"]
    )  # fmt: skip
    assert (without.kind, [s.id for s in without.sources]) == ("not_enough", ["8:0", "8:1"])
    assert {with_gold.cluster, without.cluster} == {"1"}
    assert [len(i.sources) for i in claims_scifact.items([claim], corpus, "abstract")] == [4, 4]


def test_nli4ct_lines_stand_under_their_trial() -> None:
    corpus = {
        "A/Results": CorpusItem("A/Results", "", "A", ("Outcome:", "  PFS 3 months"), group="Results"),
        "B/Results": CorpusItem("B/Results", "", "B", ("  PFS 4 months",), group="Results"),
    }
    evidence = (EvidenceSentence("A/Results", 1), EvidenceSentence("B/Results", 0))
    claim = Claim("1", "PFS was longer.", "dev", "supported", items=tuple(corpus), evidence=evidence, cluster="A")
    [item] = claims_nli4ct.items([claim], corpus)
    assert item.supported
    assert [(s.text, s.section) for s in item.sources] == [
        ("PFS 3 months", ("primary trial", "Results")), ("PFS 4 months", ("secondary trial", "Results"))
    ]  # fmt: skip


def test_medec_checks() -> None:
    [error] = claims_medec.items(NOTE, "error")
    assert (error.claim, error.kind, error.supported) == ("Given Drug X.", "treatment", False)
    assert [s.text for s in error.sources] == ["Seen today.", "Given Drug Y.", "106/min", "Seen today."]
    [correction] = claims_medec.items(NOTE, "correction")
    assert correction.claim == "Given Drug Y."
    assert [s.text for s in correction.sources] == list(NOTE.sentences)
    unchanged = list(claims_medec.items(NOTE, "unchanged"))
    assert [i.claim for i in unchanged] == ["Seen today.", "106/min", "Seen today."]
    assert all(i.supported and len(i.sources) == 4 for i in unchanged)
    first = next(claims_medec.items(NOTE, "rest"))
    assert [s.text for s in first.sources] == ["Given Drug Y.", "106/min"]  # without itself and its copy
    whole = SpoiltNote("m", "", ("Seen today.",), False, "val")
    assert [list(claims_medec.items(whole, check)) for check in ("error", "correction")] == [[], []]


def test_expertqa_leaves_out_what_cannot_be_checked() -> None:
    claims = [
        Claim("1", "Blood is **red**[1] [2].", label="supported", context=("[1] https://a.b/c\n\nBlood is red.",)),
        Claim("2", "X.", label="partial", context=("[1] https://a.b/c",)),
        Claim("3", "X.", label="not_enough"),
        Claim("4", "X.", context=("[1] https://a.b/c\n\nX.",)),
    ]
    [item], out = claims_experts.expertqa_items(claims)
    assert (item.claim, item.sources[0].text) == ("Blood is red.", "Blood is red.")
    assert out == {"addresses only": 1, "no evidence": 1, "not judged": 1}


def test_physicians_agree_with_themselves() -> None:
    words = {str(n): ("supported", "supported") if n % 3 else ("not_enough", "not_enough") for n in range(9)}
    found = claims_experts.agreement(words, {case: case for case in words}, three_labels=True)
    assert found["supported or not"]["kappa"]["value"] == found["three labels"]["ac1"]["value"] == 1.0


@pytest.mark.parametrize("script", [claims_scifact, claims_nli4ct, claims_medec, claims_experts])
def test_absent_data_is_named(script: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["x", str(tmp_path)])
    with pytest.raises(MissingData):
        script.main()  # type: ignore[attr-defined]
