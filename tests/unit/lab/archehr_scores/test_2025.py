"""The rules of 2025: how an answer is read, factuality in both variants, relevance and its references."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.lab.archehr_scores.files import Write, key_case, xml_case

from chartcite.lab.archehr_scores.score import score
from chartcite.lab.archehr_scores.submission_2025 import parse_answer
from chartcite.lab.errors import BadTable, CasesDiffer, NoCitations, WrongType
from chartcite.lab.metrics.bleu import bleu
from chartcite.lab.metrics.sari_evaluate import sari_evaluate
from chartcite.lab.rouge import rouge


@pytest.mark.parametrize(
    ("answer", "text", "citations"),
    [
        ("The stent was placed. |1,3|", "The stent was placed.", {"1", "3"}),
        ("The stent was placed |1|\n\nShe went home! |2|\n", "The stent was placed. She went home!", {"1", "2"}),
        ("No citation here\nOne here |4|", "No citation here. One here.", {"4"}),
        ("Ratio a|b was 2", "Ratio a|b was 2.", set()),
        ("Ratio a|b was 2 |5|", "Ratio a|b was 2.", {"5"}),
        ("Placed |1| and then more", "Placed.", {"1"}),
        ("Placed |1, 3|", "Placed.", {"1", " 3"}),
        ("Placed |1,,3, |", "Placed.", {"1", "3"}),
        ("Placed ||", "Placed.", set()),
        ("|7|", "", {"7"}),
        ("Was it placed? |1|", "Was it placed?", {"1"}),
        ("Placed, |1|", "Placed,.", {"1"}),
        ("Placed |1|\r\nHome |2|", "Placed. Home.", {"1", "2"}),
    ],
    ids=["plain", "full stop added", "without", "one bar", "three bars", "tail dropped", "not trimmed", "empty ids",
         "nothing between", "no words", "question", "comma", "windows"],
)  # fmt: skip
def test_how_an_answer_is_read(answer: str, text: str, citations: set[str]) -> None:
    found = parse_answer(answer)
    assert (found.text, set(found.citations), found.cut) == (text, citations, False)


def test_an_answer_is_cut_at_75_words_and_keeps_its_citations() -> None:
    long = "\n".join(f"{'word ' * 30}|{n}|" for n in range(1, 5))
    found = parse_answer(long)
    assert found.cut
    assert len(found.text.split(" ")) == 75
    assert found.citations == {"1", "2", "3", "4"}
    assert not parse_answer(f"{'word ' * 75}|1|").cut


def said(case: str, answer: Any) -> dict[str, Any]:
    return {"case_id": case, "answer": answer}


KEY = [key_case("1", "eesn"), key_case("2", "ness")]


def test_factuality_in_the_head(write: Write) -> None:
    submission = write("s.json", [said("1", "A. |1,3|\nB. |4|"), said("2", "C. |1|")])
    found = score(submission, year=2025, key=write("k.json", KEY))
    # Strict: case 1 has 1 of 3 and 1 of 2, case 2 0 of 1 and 0 of 1.
    assert found.scores["strict_micro_precision"] == pytest.approx(100 * 1 / 4)
    assert found.scores["strict_micro_recall"] == pytest.approx(100 * 1 / 3)
    assert found.scores["strict_micro_f1"] == found.scores["overall_factuality_score"] == pytest.approx(100 * 2 / 7)
    assert found.scores["strict_macro_f1"] == pytest.approx(100 * (2 / 5) / 2)
    # Lenient: supplementary sentences are gold too: 2 of 3 predicted and 3 gold; 0 of 1 and 3.
    assert found.scores["lenient_micro_f1"] == pytest.approx(100 * 2 * 2 / (4 + 6))
    assert found.scores["overall_score"] is None
    assert "overall_relevance_score" in found.reasons["overall_score"]
    assert "--xml" in found.reasons["rougeLsum"]
    assert found.available == ()


def test_a_case_without_gold_is_no_perfect_case(write: Write) -> None:
    found = score(write("s.json", [said("1", "A. |1|")]), year=2025, key=write("k.json", [key_case("1", "nn")]))
    assert found.scores["strict_macro_f1"] == found.scores["strict_micro_f1"] == 0


def test_relevance_and_its_references(write: Write) -> None:
    sentences = ["The duct was blocked.", "A stent was placed.", "She has a cat.", "She went home."]
    told, asked = "My mother had a stent. Why?", "Why was the stent placed?"
    xml = write(
        "x.xml", "<annotations>" + "".join(xml_case(c, told, asked, sentences) for c in "12") + "</annotations>"
    )
    key = write("k.json", [key_case("1", "eenn"), key_case("2", "neen")])
    answers = {"1": "The duct was blocked and a stent was placed.", "2": "A stent was placed."}
    submission = write("s.json", [said(c, f"{text} |1|") for c, text in answers.items()])
    found = score(submission, year=2025, key=key, xml=xml)
    question = f"{told}\n\n{asked}"
    essential = {"1": "\n".join(sentences[:2]), "2": "\n".join(sentences[1:3])}
    whole = {c: f"{question}\n\n{text}" for c, text in essential.items()}

    def mean(measure: Any) -> float:
        return float(100 * sum(measure(c) for c in answers) / 2)

    assert found.scores["bleu"] == pytest.approx(mean(lambda c: bleu(answers[c], [whole[c]])))
    lsum = mean(lambda c: rouge("rougeLsum", answers[c], whole[c], "ascii"))
    assert found.scores["rougeLsum"] == pytest.approx(lsum)
    sari = mean(lambda c: sari_evaluate(question, answers[c], [essential[c]]))
    assert found.scores["sari"] == pytest.approx(sari)
    assert found.available == ("rougeLsum", "bleu", "sari")
    assert found.scores["overall_relevance_score"] is None
    assert any("order" in note for note in found.notes)


def test_what_is_refused_and_what_is_told(write: Write) -> None:
    key = write("k.json", KEY)
    for answer, error in (("Nothing cited.", NoCitations), ("", NoCitations), (["A |1|"], WrongType)):
        with pytest.raises(error):
            score(write("s.json", [said("1", answer), said("2", "B |1|")]), year=2025, key=key)
    with pytest.raises(CasesDiffer):
        score(write("s.json", [said("1", "A |1|")]), year=2025, key=key)
    found = score(write("s.json", [said("1", "A |1, 2|"), said("2", "B |2|")]), year=2025, key=key)
    assert any("no sentence of the note: cases 1" in note for note in found.notes)
    bare = write("x.xml", "<annotations><case id='1'><patient_narrative>A</patient_narrative></case></annotations>")
    with pytest.raises(BadTable):
        score(write("s.json", [said("1", "A |1|"), said("2", "B |2|")]), year=2025, key=key, xml=bare)
