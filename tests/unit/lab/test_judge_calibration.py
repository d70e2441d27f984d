"""A judge's record: how it is measured, written, read, and when it makes a judge's word calibrated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.scripted_server import chat, serving

from chartcite.app.cli import main
from chartcite.app.cli.main import main as run
from chartcite.core.answer import AnswerSentence, Citation
from chartcite.core.calibration import JudgeCalibration, Share, parse_calibration
from chartcite.core.chat import ChatReply, ChatRequest
from chartcite.core.errors import UnreadableCalibration
from chartcite.lab.errors import BadTable, MissingData
from chartcite.lab.judge_calibration import ClaimSet, calibrate, claims_of_file, planted_claims
from chartcite.lab.statistics.proportion import clopper_pearson
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.verification.answers import judge_sentences
from chartcite.verification.judge import judge_prompt_hash
from chartcite.verification.verdicts import Source

SENTENCE = "Warfarin 5 mg every evening."
ROWS = [
    {"id": "1", "supported": True, "claim": "Warfarin is taken.", "citations": ["s2"]},
    {"id": "2", "supported": True, "claim": "Warfarin 5 mg.", "citations": ["s2"]},
    {"id": "3", "supported": False, "claim": "Warfarin 50 mg.", "citations": ["s2", "s1"]},
    {"id": "4", "supported": False, "claim": "No warfarin.", "citations": ["s2"]},
]
SOURCES = [{"id": "s1", "text": "INR was 2.1."}, {"id": "s2", "text": SENTENCE}]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl"
    path.write_text("".join(json.dumps(row | {"sources": SOURCES}) + "\n" for row in ROWS), "utf-8")
    return path


def made(claims: ClaimSet, no: Sequence[str]) -> JudgeCalibration:
    """The record of a judge that refuses some claims, one of them without a verdict."""

    def ask(claim: str, sources: Sequence[Source]) -> tuple[bool, bool]:
        assert sources[0].text == SENTENCE
        return claim not in no, claim != "No warfarin."

    return calibrate(ask, "judge-7b", judge_prompt_hash(), claims, "2026-11-30", lambda *_: None)


def test_shares_are_counts_with_exact_intervals(file: Path) -> None:
    record = made(claims_of_file(file), ["Warfarin 5 mg.", "Warfarin 50 mg."])
    assert (record.sensitivity.right, record.sensitivity.n) == (1, 2)
    assert (record.specificity.right, record.specificity.n) == (1, 2)
    assert (record.sensitivity.low, record.sensitivity.high) == (clopper_pearson(1, 2).low, clopper_pearson(1, 2).high)
    assert record.inconclusive == 1
    assert not record.says_yes_to_all


def test_a_judge_that_supports_everything_is_told(file: Path) -> None:
    record = made(claims_of_file(file), [])
    assert (record.sensitivity.value, record.specificity.value) == (1.0, 0.0)
    assert record.says_yes_to_all
    assert record.figures()["says_yes_to_all"] is True


def test_a_record_is_read_back_as_it_was_written(file: Path) -> None:
    record = made(claims_of_file(file), ["No warfarin."])
    assert parse_calibration(record.to_json()) == record


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"schema": "chartcite.answer/1"}', '{"schema": "chartcite.judge_calibration/1"}'],
    ids=["empty", "list", "other schema", "no figures"],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(UnreadableCalibration):
        parse_calibration(text)


def test_a_record_with_impossible_counts_is_refused(file: Path) -> None:
    row = json.loads(made(claims_of_file(file), []).to_json())
    row["sensitivity"]["right"] = 9
    with pytest.raises(UnreadableCalibration):
        parse_calibration(json.dumps(row))


def test_claims_of_one_label_measure_nothing(file: Path) -> None:
    claims = claims_of_file(file)
    true = replace(claims, claims=tuple(c for c in claims.claims if c.is_supported))
    with pytest.raises(MissingData, match="one label"):
        made(true, [])


def test_a_file_of_claims_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    with pytest.raises(MissingData, match="no file"):
        claims_of_file(path)
    path.write_text('{"claim": "a", "supported": "yes", "citations": [], "sources": []}\n')
    with pytest.raises(BadTable, match="line 1"):
        claims_of_file(path)


def test_planted_claims_have_every_kind_and_both_labels() -> None:
    claims = planted_claims(1)
    assert len(claims.claims) == 34
    assert sum(c.is_supported for c in claims.claims) == 14
    assert claims.sha256 == planted_claims(1).sha256


class Judge:
    """Supports everything."""

    is_remote = False
    context_tokens = 2000

    def __init__(self, name: str) -> None:
        self.name = name

    def chat(self, request: ChatRequest) -> ChatReply:
        return ChatReply('{"verdict": "supported", "source": "1", "reason": "said"}', "stop")


RECORD = JudgeCalibration(
    "judge-7b", judge_prompt_hash(), "2026-11-30", "mine", "0", Share(9, 10, 0.5, 1.0), Share(8, 10, 0.4, 1.0)
)
OTHERS = {
    "no record": (None, "judge-7b", []),
    "another model": (RECORD, "judge-8b", ["judge_calibration_is_of_another"]),
    "another prompt": (replace(RECORD, prompt="0"), "judge-7b", ["judge_calibration_is_of_another"]),
}


def judged(record: JudgeCalibration | None, model: str) -> tuple[dict[str, object], list[str]]:
    told: list[str] = []
    cited = Citation("d", 1, 0, len(SENTENCE), SENTENCE, "", "", None, None, "")
    said = judge_sentences(
        Judge(model), "?", [AnswerSentence(SENTENCE, (cited,))], lambda name, _: told.append(name), record
    )
    assert said[0].judged is not None
    return dict(said[0].judged), told


def test_a_judge_with_its_own_record_is_calibrated_and_shows_its_figures() -> None:
    found, told = judged(RECORD, "judge-7b")
    assert found["calibrated"] is True
    assert found["calibration"] == RECORD.figures()
    assert told == []


@pytest.mark.parametrize("case", OTHERS)
def test_any_other_judge_is_uncalibrated(case: str) -> None:
    record, model, expected = OTHERS[case]
    found, told = judged(record, model)
    assert (found["calibrated"], found["calibration"], told) == (False, None, expected)


def test_the_settings_name_the_record(tmp_path: Path) -> None:
    path = tmp_path / "judge.json"
    path.write_text(RECORD.to_json())
    url = "http://127.0.0.1:1/v1"
    assert Engines(Settings(judge_url=url, judge_calibration=str(path))).judge_record == RECORD
    assert Engines(Settings(judge_calibration=str(path))).judge_record is None
    with pytest.raises(UnreadableCalibration, match="cannot be read"):
        _ = Engines(Settings(judge_url=url, judge_calibration=str(tmp_path / "none.json"))).judge_record


def test_what_the_record_says_shapes_an_answer_and_not_where_it_lies(tmp_path: Path) -> None:
    records = {"a": RECORD, "b": RECORD, "c": replace(RECORD, date="2001-01-01")}
    settings = {}
    for name, record in records.items():
        (tmp_path / name).write_text(record.to_json())
        settings[name] = Settings(judge_url="http://127.0.0.1:1/v1", judge_calibration=str(tmp_path / name))
    hashes = [s.answer_hash(dict(Engines(s).judged_by)) for s in settings.values()]
    assert hashes[0] == hashes[1] != hashes[2]
    assert Engines(settings["a"]).judged_by["judge_prompt"] == judge_prompt_hash()
    assert Engines(Settings()).judged_by == {}


@pytest.fixture
def _quietly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(main, "_quiet", lambda debug: None)  # leave the test process's signals alone


@pytest.mark.usefixtures("_quietly")
def test_the_command_measures_the_endpoint_as_ask_uses_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reply = '{"verdict": "%s", "source": "1", "reason": "said"}'
    with serving(lambda body: chat(reply % ("unsupported" if "50 mg" in str(body) else "supported"))) as (url, seen):
        options = ["--set", f"judge_url={url}", "--set", "judge_model=small"]
        assert run(["lab", "calibrate-judge", "--out", "r.json", "--claims", str(file), "--json", *options]) == 0
    record = parse_calibration(Path("r.json").read_text("utf-8"))
    assert json.loads(capsys.readouterr().out)["model"] == record.model == "small"
    assert record.prompt == judge_prompt_hash()
    assert (record.sensitivity.right, record.specificity.right) == (2, 1)
    assert len(seen) == 4


@pytest.mark.usefixtures("_quietly")
@pytest.mark.parametrize("is_remote", [True, False], ids=["elsewhere", "here and always hidden"])
def test_a_judge_that_should_get_surrogates_gets_nothing(
    file: Path, capsys: pytest.CaptureFixture[str], is_remote: bool
) -> None:
    with serving(lambda body: chat('{"verdict": "supported", "source": "1", "reason": ""}')) as (url, seen):
        there = {"judge_url": "https://far.invalid/v1", "allow_remote": "true"} if is_remote else {"judge_url": url}
        given = {"judge_model": "j", "deidentify": "remote" if is_remote else "always", **there}
        options = [part for name, value in given.items() for part in ("--set", f"{name}={value}")]
        assert run(["lab", "calibrate-judge", "--out", "r.json", "--claims", str(file), *options]) != 0
    assert "nobody has de-identified" in capsys.readouterr().err
    assert seen == []
    assert not Path("r.json").exists()


@pytest.mark.usefixtures("_quietly")
def test_judges_to_compare_with_and_no_judge_at_all(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["lab", "calibrate-judge", "--out", "r.json", "--claims", str(file)]
    assert run([*command, "--judge", "always"]) == 0
    assert "its support says nothing" in capsys.readouterr().out
    assert run([*command, "--judge", "rules"]) == 0
    assert "Specificity" in capsys.readouterr().out
    Path("r.json").unlink()
    assert run(command) == 3
    assert not Path("r.json").exists()
