"""Scores of texts: known figures, gaps, accents, line ends, and what happens without a library's data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from chartcite.core.errors import MissingExtra, UnknownImplementation
from chartcite.lab.errors import MissingData
from chartcite.lab.experiment.errors import BadSpec
from chartcite.lab.experiment.metric_names import NEEDS, check_libraries, check_metrics, form_of, metric_of
from chartcite.lab.measured import Metric
from chartcite.lab.meteor import meteor, scored
from chartcite.lab.metrics.bleu import bleu
from chartcite.lab.metrics.meteor import Meteor
from chartcite.lab.metrics.meteor_nltk import MeteorNltk, meteor_nltk
from chartcite.lab.metrics.sari_easse import sari_easse
from chartcite.lab.metrics.sari_evaluate import sari_evaluate
from chartcite.lab.rouge import rouge
from chartcite.lab.sari import Revision
from chartcite.lab.wordnet import WordNet, is_there

TEXTS = ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum", "bleu", "sacrebleu", "chrf", "meteor_stem")
REVISIONS = ("sari_evaluate", "sari_easse")


def gold_of(name: str, references: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    return {c: Revision("The old text.", r) if name in REVISIONS else list(r) for c, r in references.items()}


@pytest.mark.parametrize("name", [*TEXTS, *REVISIONS])
def test_missing_and_empty_texts_are_zeros_that_are_counted(name: str) -> None:
    gold = gold_of(name, {"1": ("Stable on discharge today.",), "2": ("Stable.",), "3": ("Stable.",), "4": ()})
    found = metric_of(name).measure(gold, {"1": "Stable on discharge today.", "2": " \n", "9": "?"})
    first = 9 / 12 if name == "sari_easse" else 1.0  # three of its twelve parts have nothing to keep
    assert found.per_case(name) == {"1": pytest.approx(first, abs=0.01), "2": 0.0, "3": 0.0, "4": None}
    assert {v.case_id: v.reason for v in found.values} == {
        "1": "", "2": "empty prediction", "3": "no prediction", "4": "no reference"
    }  # fmt: skip
    assert (found[name].n, found[name].missing, found.ignored) == (3, 2, ("9",))
    assert found[name].value == pytest.approx(first / 3, abs=0.01)


@pytest.mark.parametrize("name", [*TEXTS, *REVISIONS])
def test_every_form_is_named_and_nothing_is_measured_of_nothing(name: str) -> None:
    metric = metric_of(name)
    check_libraries(metric)
    assert metric.needs in NEEDS
    assert len(form_of(metric)) > 20
    assert all(s.value is None and s.reason for s in metric.measure({}, {}).summaries)


@pytest.mark.parametrize("name", TEXTS)
def test_the_best_of_several_references_counts(name: str) -> None:
    said, good, bad = "Warfarin was stopped for bleeding.", "Warfarin was stopped for bleeding.", "Nothing else here."
    metric = metric_of(name)
    one, both = (metric.measure({"1": refs}, {"1": said})[name].value for refs in ([good], [bad, good]))
    assert one == both == pytest.approx(1.0, abs=0.01)


def test_figures_that_others_have_published() -> None:
    # The example of `evaluate`'s documentation of SARI, and the wordings of reports about both families.
    source, said = "About 95 species are currently accepted .", "About 95 you now get in ."
    known = ["About 95 species are currently known .", "About 95 species are now accepted .",
             "95 species are now accepted ."]  # fmt: skip
    assert 100 * sari_evaluate(source, said, known) == pytest.approx(26.953601953601954, abs=1e-9)
    # NLTK's documentation of METEOR; the words need no synonym.
    words = "It is a guide to action which ensures that the military always obeys the commands of the party"
    other = "It is a guide to action that ensures that the military will forever heed Party commands"
    assert meteor_nltk(words, other, lambda _: frozenset()) == pytest.approx(0.6944, abs=5e-5)


@pytest.mark.parametrize(
    ("said", "gold", "kind", "expected"),
    [
        ("The dose was raised\nINR is 2.5", "INR is 2.5 now\nthe dose was not raised", "rougeLsum", 8 / 9),
        ("a b c d a", "a c a b\nd a a", "rougeLsum", 2 / 3),
        ("No pain", "no no pain", "rouge1", 0.8),
        ("...", "...", "rouge1", 0.0),
        ("b c\na", "a\nb c", "rougeLsum", 1.0),
        ("b c a", "a b c", "rougeLsum", 2 / 3),
    ],
    ids=["lines", "union", "repeated", "no words", "lines swapped", "one line swapped"],
)
def test_rouge_in_the_head(said: str, gold: str, kind: str, expected: float) -> None:
    assert rouge(kind, said, gold) == rouge(kind, said, gold, "ascii") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("said", "gold", "unicode", "ascii_only"),
    [
        ("sem lesões", "sem lesões", 1.0, 1.0),
        ("sem lesões", "sem lesãos", 0.5, 2 / 3),
        ("há dor", "hé dor", 0.5, 1.0),
        ("dor à noite", "dor à noite".replace("à", "a\u0300"), 1.0, 0.8),
        ("Ação", "AÇÃO", 1.0, 1.0),
        ("血圧 上昇", "血圧 低下", 0.5, 0.0),
    ],
    ids=["same", "ending", "one letter", "composed", "case", "script"],
)
def test_accents_are_seen(said: str, gold: str, unicode: float, ascii_only: float) -> None:
    assert rouge("rouge1", said, gold) == pytest.approx(unicode)
    assert rouge("rouge1", said, gold, "ascii") == pytest.approx(ascii_only)


def test_bleu_takes_the_shortest_reference_and_does_not_smooth() -> None:
    said = "the dose was raised to ten"
    assert bleu(said, ["the dose was raised"]) == pytest.approx((4 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25)
    short = bleu("the dose was raised", ["the dose was raised to ten", "the dose was raised to"])
    assert short == pytest.approx(2.718281828459045 ** (1 - 5 / 4))
    assert bleu("the dose", ["the dose"]) == 0.0


def test_the_two_families_of_sari_differ_where_nothing_is_to_be_added() -> None:
    source, said = "The former smoker denies new chest pain.", "The smoker denies new chest pain."
    assert sari_evaluate(source, said, [said]) == 1.0
    assert sari_easse(source, said, [said]) == pytest.approx(11 / 12)
    assert sari_evaluate(source, source, [said]) > 0.45
    assert sari_easse(source, source, [said]) < 0.3


def test_the_corpus_figure_of_sacrebleu_pools_and_counts_what_is_missing() -> None:
    gold = {"1": ["the dose was raised to ten"], "2": ["no change was made today"]}
    whole = metric_of("sacrebleu").measure(gold, {c: r[0] for c, r in gold.items()})
    half = metric_of("sacrebleu").measure(gold, {"1": gold["1"][0]})
    assert whole["sacrebleu.corpus"].value == pytest.approx(1.0)
    # All n-grams right, 6 words of 11: only the brevity penalty.
    assert half["sacrebleu.corpus"].value == pytest.approx(2.718281828459045 ** (1 - 11 / 6))
    assert (half["sacrebleu.corpus"].n, half["sacrebleu.corpus"].missing) == (2, 1)


def test_meteor_in_the_head() -> None:
    same = ["no", "pain"]
    assert meteor(same, same) == 1 - 0.5 * (1 / 2) ** 3
    assert meteor(["patients"], ["patient"]) == 0.5
    assert meteor(["pain"], ["fever"]) == 0.0
    # The article is taken where it keeps the run whole: 2 chunks, not 3.
    said, gold = ["the", "drug", "of", "the", "day"], ["of", "the", "day", "the", "drug"]
    assert meteor(said, gold) == scored(5, 2, 5, 5)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A WordNet of three synsets, in its own format."""
    licence = "  1 invented for this test  \n"
    synsets = [
        "{:08d} 04 n 02 physician 0 medico 0 000 | a doctor  \n",
        "{:08d} 08 n 02 kidney 0 nephric_organ 0 000 | an organ  \n",
    ]
    places, text = [], licence
    for line in synsets:
        places.append(len(text))
        text += line.format(len(text))
    (tmp_path / "data.noun").write_text(text)
    rows = [("kidney", 1), ("medico", 0), ("nephric_organ", 1), ("physician", 0)]
    index = "".join(f"{word} n 1 0 1 0 {places[i]:08d}  \n" for word, i in rows)
    (tmp_path / "index.noun").write_text(licence + index)
    (tmp_path / "noun.exc").write_text("medicos medico\n")
    for part, word in (("verb", "stop"), ("adj", "big"), ("adv", "well")):
        line = f"{len(licence):08d} 00 {part[0]} 02 {word} 0 other(p) 0 000 | x  \n"
        (tmp_path / f"data.{part}").write_text(licence + line)
        (tmp_path / f"index.{part}").write_text(licence + f"{word} {part[0]} 1 0 1 0 {len(licence):08d}  \n")
    return tmp_path


def test_wordnet_is_read_and_inflected_forms_lead_to_their_base(folder: Path) -> None:
    net = WordNet(folder)
    assert net.synonyms("physicians") == net.synonyms("medicos") == {"physician", "medico"}
    assert net.synonyms("kidney") == {"kidney"}  # two words are no word
    assert net.synonyms("bigger") == frozenset()  # `bigg` and `bigge` are no words
    assert net.synonyms("stops") == {"stop", "other"}
    assert net.senses("nowhere") == frozenset()


def test_synonyms_count_in_the_forms_that_say_so(folder: Path) -> None:
    gold, said = {"1": ["the physician called"]}, {"1": "the medico called"}
    for metric in (Meteor(str(folder)), MeteorNltk(str(folder))):
        assert metric.measure(gold, said)[metric.name].value == scored(3, 1, 3, 3)
    assert metric_of("meteor_stem").measure(gold, said)["meteor_stem"].value == scored(2, 2, 3, 3)


@pytest.mark.parametrize("name", ["meteor", "meteor_nltk"])
def test_without_wordnet_there_is_no_figure_and_never_another_one(name: str, tmp_path: Path) -> None:
    metric: Metric[Any, Any] = metric_of(f"{name}:{tmp_path}")
    found = metric.measure({"1": ["pain"]}, {"1": "pain"})
    assert (found[name].value, found.per_case(name)) == (None, {"1": None})
    assert "wordnet-base" in found[name].reason
    assert not is_there(tmp_path)
    with pytest.raises(MissingData):
        WordNet(tmp_path)


def test_names_with_a_folder() -> None:
    assert metric_of("meteor:/elsewhere").name == "meteor"
    for wrong in ("rouge_l:/elsewhere", "meteor:", "recall@5:/elsewhere"):
        with pytest.raises(BadSpec):
            metric_of(wrong)
    with pytest.raises(UnknownImplementation):
        metric_of("rouge:/elsewhere")


def test_one_metric_with_two_models_is_two_experiments() -> None:
    check_metrics(["meteor:/a", "meteor_nltk:/a"])
    with pytest.raises(BadSpec, match="called meteor"):
        check_metrics(["meteor:/a", "meteor:/b"])


def test_a_library_that_is_missing_is_named_before_anything_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chartcite.lab.metrics.chrf.Chrf.libraries", ("no_such_library",))
    with pytest.raises(MissingExtra) as caught:
        check_libraries(metric_of("chrf"))
    assert "no_such_library" in str(caught.value)
