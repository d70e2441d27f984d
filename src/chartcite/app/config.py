"""Where every setting's value comes from: defaults, preset, configuration file, environment, flags; the last wins.

The only place that reads the environment. A configuration file is flat TOML with the fields of `Settings` and `store`;
a table `[serve]` is the server's.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chartcite.core.errors import NotConfigured

if TYPE_CHECKING:
    from pydantic import ValidationError

    from chartcite.library.settings import Settings

_MOST_BYTES = 1_000_000
PREFIX = "CHARTCITE_"
PRESETS: dict[str, dict[str, object]] = {"default": {}}
SECRETS = ("encoder_key", "writer_key", "judge_key", "opensearch_password")
"""May come from a file: `CHARTCITE_WRITER_KEY_FILE` names it, as container engines hand secrets over."""
_OWN = ("store", "preset")  # settings of the door, not of the answer
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")
_SHOWN_CHARS = 60


class UnknownSetting(NotConfigured):
    """A name that no setting has."""


class InvalidSetting(NotConfigured):
    """A value that a setting does not take."""


class UnknownPreset(NotConfigured):
    """No preset of that name."""


class UnreadableConfig(NotConfigured):
    """The configuration file cannot be read."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value as somebody gave it, and where."""

    value: object
    origin: str


@dataclass(frozen=True, slots=True)
class Config:
    """All settings with their origins. `origins` has a line for each field of `settings`, `store` and `preset`."""

    settings: Settings
    store: Path
    preset: str
    origins: Mapping[str, str]
    serve: dict[str, object] = field(default_factory=dict)
    """The table `[serve]` of the configuration file as it stands there; `app/server/config.py` checks it."""

    def shown(self) -> dict[str, object]:
        """Every setting with its value, secrets and what stands before an @ in a url masked."""
        values = {"store": str(self.store), "preset": self.preset, **self.settings.model_dump(mode="json")}
        return {n: _LOGIN.sub("***@", v) if isinstance(v, str) else v for n, v in values.items()}

    def to_dict(self) -> dict[str, object]:
        """For `config show --json`."""
        return {
            "schema": "chartcite.config/1",
            "settings": {name: {"value": value, "origin": self.origins[name]} for name, value in self.shown().items()},
            "presets": sorted(PRESETS),
        }


def resolve(
    flags: Mapping[str, Given] | None = None,
    config_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Config:
    """Put the layers together.

    Args:
        flags: by setting, from the command line; `store` and `preset` among them.
        config_file: named on the command line; it must exist. Without it the user's own is read if there is one.
        environ: the environment; that of the process when None.

    Raises:
        UnknownSetting, InvalidSetting, UnknownPreset, UnreadableConfig: naming the setting, its origin and what may be.
    """
    from chartcite.library.settings import Settings  # noqa: PLC0415  (pydantic is slow to import)

    env = os.environ if environ is None else environ
    given = _from_file(config_file, env) | _from_environment(env) | dict(flags or {})
    preset = given.pop("preset", Given("default", "default"))
    store = given.pop("store", None)
    served = given["serve"].value if "serve" in given else {}
    if isinstance(served, dict):
        given.pop("serve", None)
    given = {n: Given(v, f"preset {preset.value}") for n, v in _preset(preset).items()} | given
    _check_names(given, Settings)
    settings = _validated(given, Settings)
    origins = {name: given[name].origin if name in given else "default" for name in Settings.model_fields}
    return Config(
        settings=settings,
        store=_path(store) if store else _data_home(env) / "store",
        preset=str(preset.value),
        serve=served if isinstance(served, dict) else {},
        origins={"store": store.origin if store else "default", "preset": preset.origin, **origins},
    )


def parse_assignments(assignments: list[str]) -> dict[str, Given]:
    """`NAME=VALUE` strings of `--set`.

    Raises:
        InvalidSetting: no `=` in it.
    """
    found = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise InvalidSetting("--set takes NAME=VALUE.", "For example: --set answer_words=50.")
        found[name.strip()] = Given(value.strip(), "--set")
    return found


def user_config_file(environ: Mapping[str, str] | None = None) -> Path:
    """`$XDG_CONFIG_HOME/chartcite/config.toml`, or the same below `~/.config`."""
    env = os.environ if environ is None else environ
    return _xdg(env, "XDG_CONFIG_HOME", ".config") / "chartcite" / "config.toml"


def _data_home(env: Mapping[str, str]) -> Path:
    return _xdg(env, "XDG_DATA_HOME", ".local/share") / "chartcite"


def _xdg(env: Mapping[str, str], variable: str, below_home: str) -> Path:
    named = Path(env.get(variable, ""))
    if named.is_absolute():  # the XDG rules: relative paths are ignored
        return named
    home = env.get("HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path(os.path.expanduser("~"))) / below_home  # noqa: PTH111


def _path(store: Given) -> Path:
    text = str(store.value).strip()
    if not text:
        raise InvalidSetting(f"The setting store ({store.origin}) is empty.", "Name a folder, or leave it away.")
    return Path(os.path.expanduser(text))  # noqa: PTH111  (Path.expanduser raises where there is no home)


def _from_environment(env: Mapping[str, str]) -> dict[str, Given]:
    given = {
        name.removeprefix(PREFIX).lower(): Given(value, f"environment {name}")
        for name, value in sorted(env.items())
        if name.startswith(PREFIX)
    }
    for secret in SECRETS:
        named = given.pop(f"{secret}_file", None)
        if named is not None:
            given.setdefault(secret, Given(_secret(named), f"file that {named.origin} names"))
    return given


def _secret(named: Given) -> str:
    """One line of a file; what it holds is in no message."""
    try:
        return Path(str(named.value)).read_text("utf-8")[:_MOST_BYTES].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableConfig(
            f"The file that {named.origin.removeprefix('environment ')} names cannot be read.",
            "It holds the secret alone, in UTF-8.",
        ) from error


def _from_file(named: Path | None, env: Mapping[str, str]) -> dict[str, Given]:
    path = named or user_config_file(env)
    if named is None and not path.is_file():
        return {}
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UnreadableConfig(
                f"The configuration file {path} is too large: over {_MOST_BYTES:,} bytes.", "Name the right file."
            )
        table = tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UnreadableConfig(
            f"The configuration file {path} cannot be read: {error.strerror}.", "Check --config, or leave it away."
        ) from error
    except UnicodeDecodeError as error:
        raise UnreadableConfig(f"The configuration file {path} is not UTF-8.", "Save it again in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (.*)\)$", str(error))
        raise UnreadableConfig(
            f"The configuration file {path} is not valid TOML{f' ({place[1]})' if place else ''}.",
            'Write one setting a line, for example: method = "hybrid".',
        ) from error
    return {name: Given(value, f"file {path}") for name, value in table.items()}


def _preset(preset: Given) -> dict[str, object]:
    values = PRESETS.get(str(preset.value))
    if values is None:
        raise UnknownPreset(
            f"There is no preset called {_shown(preset.value)} ({preset.origin}).",
            f"Known: {', '.join(sorted(PRESETS))}.",
        )
    return values


def _check_names(given: Mapping[str, Given], model: type[Settings]) -> None:
    known = [*_OWN, *model.model_fields]
    for name, value in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known)}."
            raise UnknownSetting(f"There is no setting called {_shown(name)} ({value.origin}).", advice)


def _validated(given: Mapping[str, Given], model: type[Settings]) -> Settings:
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        return model(**{name: value.value for name, value in given.items()})  # type: ignore[arg-type]
    except ValidationError as error:
        raise _invalid(error, given, model) from error


def _invalid(error: ValidationError, given: Mapping[str, Given], model: type[Settings]) -> InvalidSetting:
    first: Any = error.errors(include_url=False)[0]
    what = str(first["msg"]).split(", unable to")[0].removeprefix("Input should ").removeprefix("Value error, ")
    if not first["loc"]:  # settings that do not go together
        named = [f"{name} ({value.origin})" for name, value in given.items() if name in what.split()]
        advice = f"Change {' or '.join(named)}." if named else "Change one of them."
        return InvalidSetting(f"The settings do not go together: {what}.", advice)
    name = str(first["loc"][0])
    field = model.model_fields[name]
    if first["type"] == "value_error":
        return InvalidSetting(f"The setting {name} ({given[name].origin}) {what}.", f"{name}: {field.description}.")
    return InvalidSetting(
        f"The setting {name} ({given[name].origin}) is {_value_shown(name, given[name].value)}; it should {what}.",
        f"{name}: {field.description}; default {field.default!r}.",
    )


def _value_shown(name: str, value: object) -> str:
    """A value as a message may repeat it: no key, and no url with a login."""
    is_secret = name.endswith(("_key", "_password")) or (name.endswith("_url") and "@" in repr(value))
    return "one that is not shown" if is_secret else _shown(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."
