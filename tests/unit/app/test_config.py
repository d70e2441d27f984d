import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from chartcite.app import config
from chartcite.app.config import (
    SECRETS,
    Given,
    InvalidSetting,
    UnknownPreset,
    UnknownSetting,
    UnreadableConfig,
    parse_assignments,
    resolve,
)
from chartcite.core.errors import NotConfigured
from chartcite.library.settings import Settings


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment with its own configuration folder, and a function that writes the file there."""
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data"), "HOME": "/home/x"}


def write(env: dict[str, str], text: str) -> Path:
    path = Path(env["XDG_CONFIG_HOME"]) / "chartcite" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_without_anything_all_is_default(env: dict[str, str], tmp_path: Path) -> None:
    found = resolve(environ=env)
    assert found.settings == Settings()
    assert found.store == tmp_path / "data" / "chartcite" / "store"
    assert set(found.origins.values()) == {"default"}
    assert set(found.origins) == {"store", "preset", *Settings.model_fields}


def test_each_layer_overrides_the_one_below(env: dict[str, str]) -> None:
    path = write(env, 'top_k = 5\nmethod = "dense"\nanswer_words = 10\nstore = "/from/file"\n')
    env |= {"CHARTCITE_METHOD": "lexical", "CHARTCITE_ANSWER_WORDS": "20"}
    found = resolve({"answer_words": Given("30", "--set")}, environ=env)
    s = found.settings
    assert (s.top_k, s.method, s.answer_words, s.rrf_k) == (5, "lexical", 30, 60)
    assert found.store == Path("/from/file")
    assert {n: found.origins[n] for n in ("top_k", "method", "answer_words", "rrf_k", "store")} == {
        "top_k": f"file {path}",
        "method": "environment CHARTCITE_METHOD",
        "answer_words": "--set",
        "rrf_k": "default",
        "store": f"file {path}",
    }


def test_a_preset_lies_between_defaults_and_file(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(config.PRESETS, "short", {"answer_words": 30, "top_k": 7})
    path = write(env, 'answer_words = 40\npreset = "short"\n')
    found = resolve(environ=env)
    assert (found.settings.answer_words, found.settings.top_k, found.preset) == (40, 7, "short")
    assert (found.origins["top_k"], found.origins["preset"]) == ("preset short", f"file {path}")


def test_the_store_by_flag_environment_file_default(env: dict[str, str]) -> None:
    write(env, 'store = "/file"\n')
    assert resolve(environ=env).store == Path("/file")
    env["CHARTCITE_STORE"] = "/environment"
    assert resolve(environ=env).store == Path("/environment")
    assert resolve({"store": Given("/flag", "--store")}, environ=env).store == Path("/flag")


@pytest.mark.parametrize("variables", [{"XDG_DATA_HOME": ""}, {"XDG_DATA_HOME": "relative"}, {}])
def test_where_xdg_says_nothing_home_does(variables: dict[str, str]) -> None:
    assert resolve(environ={"HOME": "/home/x"} | variables).store == Path("/home/x/.local/share/chartcite/store")


@pytest.mark.parametrize(
    ("file", "variables", "flags", "error", "said"),
    [
        ("colour = 1", {}, {}, UnknownSetting, ["'colour'", "config.toml"]),
        ("[retrieval]\ntop_k = 1", {}, {}, UnknownSetting, ["'retrieval'", "config.toml"]),
        ("", {"CHARTCITE_TOPK": "3"}, {}, UnknownSetting, ["'topk'", "environment CHARTCITE_TOPK"]),
        ("", {}, {"tpo_k": Given("3", "--set")}, UnknownSetting, ["'tpo_k'", "--set"]),
        ("top_k = 0", {}, {}, InvalidSetting, ["top_k", "config.toml", "is 0", "greater than or equal to 1"]),
        ("", {"CHARTCITE_TOP_K": "ten"}, {}, InvalidSetting, ["CHARTCITE_TOP_K", "'ten'", "valid integer"]),
        ("", {}, {"rerank": Given("best", "--rerank")}, InvalidSetting, ["--rerank", "'fused', 'cross' or 'none'"]),
        ("", {"CHARTCITE_STORE": " "}, {}, InvalidSetting, ["store", "environment CHARTCITE_STORE", "empty"]),
        ("", {}, {"preset": Given("archehr", "--preset")}, UnknownPreset, ["'archehr'", "--preset"]),
        ("preset = [1]", {}, {}, UnknownPreset, ["[1]"]),
        ("top_k = what\n", {}, {}, UnreadableConfig, ["config.toml", "not valid TOML", "line 1"]),
    ],
)
def test_what_cannot_be_is_one_line_with_its_origin(
    env: dict[str, str],
    file: str,
    variables: dict[str, str],
    flags: dict[str, Given],
    error: type[NotConfigured],
    said: list[str],
) -> None:
    write(env, file)
    with pytest.raises(error) as caught:
        resolve(flags, environ=env | variables)
    message = str(caught.value)
    assert all(part in message for part in said), message
    assert "\n" not in message + caught.value.advice
    assert issubclass(error, NotConfigured)
    assert caught.value.exit_code == 3
    assert caught.value.advice


def test_a_near_miss_gets_a_suggestion_and_a_far_one_the_list(env: dict[str, str]) -> None:
    with pytest.raises(UnknownSetting) as near:
        resolve({"answer_word": Given(1, "--set")}, environ=env)
    assert near.value.advice == "Did you mean answer_words?"
    with pytest.raises(UnknownSetting) as far:
        resolve({"zzz": Given(1, "--set")}, environ=env)
    assert "answer_words" in far.value.advice


def test_a_file_that_is_named_must_be_there(tmp_path: Path, env: dict[str, str]) -> None:
    with pytest.raises(UnreadableConfig, match="No such file"):
        resolve(config_file=tmp_path / "none.toml", environ=env)
    (tmp_path / "latin.toml").write_bytes(b'encoder = "\xb5"')
    with pytest.raises(UnreadableConfig, match="not UTF-8"):
        resolve(config_file=tmp_path / "latin.toml", environ=env)
    with pytest.raises(UnreadableConfig, match="too large"):  # and it never ends
        resolve(config_file=Path("/dev/zero"), environ=env)


def test_a_long_value_is_shown_in_part(env: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting) as caught:
        resolve({"top_k": Given("x" * 10_000, "--set")}, environ=env)
    assert len(str(caught.value)) < 200


def test_assignments() -> None:
    assert parse_assignments(["top_k = 5", "encoder=onnx_folder:/a=b"]) == {
        "top_k": Given("5", "--set"),
        "encoder": Given("onnx_folder:/a=b", "--set"),
    }
    with pytest.raises(InvalidSetting):
        parse_assignments(["top_k"])


def test_json_form_has_value_and_origin_of_each(env: dict[str, str]) -> None:
    found: dict[str, Any] = resolve({"top_k": Given(5, "--top-k")}, environ=env).to_dict()
    assert found["schema"] == "chartcite.config/1"
    assert found["settings"]["top_k"] == {"value": 5, "origin": "--top-k"}
    assert set(found["settings"]) == {"store", "preset", *Settings.model_fields}


def test_nobody_else_reads_the_environment() -> None:
    room = Path(config.__file__).parent
    readers = [p.name for p in room.rglob("*.py") if re.search(r"os\.environ|getenv", p.read_text("utf-8"))]
    assert readers == ["config.py"]


SECRET = "sk-SECRET"


@pytest.mark.parametrize("name", ["writer_url", "judge_url"])
@pytest.mark.parametrize(
    "url",
    [
        f"https://user:{SECRET}@host/v1",
        f"https://{SECRET}@host/v1",
        f"https://user:a/{SECRET}@host/v1",
        f"u:{SECRET}@h",
    ],
    ids=["user and password", "token", "with a slash", "no scheme"],
)
def test_a_login_in_a_url_is_refused_and_not_repeated(name: str, url: str, env: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting) as caught:
        resolve({name: Given(url, "--set")}, environ=env)
    assert name in str(caught.value)
    with pytest.raises(ValueError, match="holds a login") as direct:
        Settings.model_validate({name: url})
    assert SECRET not in f"{caught.value}{caught.value.advice}{direct.value}"


@pytest.mark.parametrize("value", [[SECRET], {"key": SECRET}], ids=["list", "table"])
@pytest.mark.parametrize("name", ["writer_key", "judge_key", "encoder_key"])
def test_a_key_of_the_wrong_type_is_not_shown(name: str, value: object, env: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting) as caught:
        resolve({name: Given(value, "file x")}, environ=env)
    assert name in str(caught.value)
    assert SECRET not in f"{caught.value}{caught.value.advice}"


def test_a_url_of_the_wrong_type_shows_no_login(env: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting) as caught:
        resolve({"writer_url": Given([f"https://u:{SECRET}@h"], "file x")}, environ=env)
    assert SECRET not in str(caught.value)


def test_settings_that_do_not_go_together_are_named(env: dict[str, str]) -> None:
    with pytest.raises(InvalidSetting, match="votes_needed is more than votes") as caught:
        resolve({"votes_needed": Given("3", "--set")}, environ=env)
    assert caught.value.advice == "Change votes_needed (--set)."


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("s3cret\n", "utf-8")
    config = resolve(environ={"CHARTCITE_OPENSEARCH_PASSWORD_FILE": str(file)})
    assert config.settings.opensearch_password.get_secret_value() == "s3cret"
    assert "CHARTCITE_OPENSEARCH_PASSWORD_FILE" in config.origins["opensearch_password"]
    assert "s3cret" not in str(config.to_dict())


def test_a_secrets_file_that_is_not_there_is_named_by_its_variable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableConfig, match="CHARTCITE_WRITER_KEY_FILE"):
        resolve(environ={"CHARTCITE_WRITER_KEY_FILE": str(tmp_path / "no")})


def test_every_secret_of_the_settings_may_come_from_a_file() -> None:
    kept = {n for n, f in Settings.model_fields.items() if f.annotation is SecretStr}
    assert kept == set(SECRETS)
