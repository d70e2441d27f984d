"""From a TOML file, with its preset below it, to a complete specification."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from chartcite.lab.experiment.errors import BadSpec, UnknownPreset
from chartcite.lab.experiment.spec import Experiment
from chartcite.lab.experiment.study import study_of


def load_experiment(path: Path) -> Experiment:
    """Read an experiment's file, its preset below it.

    Raises:
        BadSpec: not readable, not TOML, a field that does not exist, a value that cannot be; the field is named.
        UnknownPreset: no preset of that name.
        UnknownImplementation: no study of that name.
    """
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadSpec(f"{path.name} cannot be read ({error.strerror}).", "Name a TOML file.") from None
    except ValueError as error:
        raise BadSpec(f"{path.name} is not TOML: {error}.", "docs/lab.md shows the form.") from None
    return parse_experiment(table, path.name)


def parse_experiment(table: Mapping[str, Any], name: str = "the experiment") -> Experiment:
    """An experiment from a table as TOML gives it. Raises as `load_experiment`."""
    preset = table.get("preset", "")
    if preset and isinstance(preset, str):
        table = _merged(load_preset(preset), table)
    table = _with_common_settings(table)
    try:
        spec = Experiment.model_validate(table)
        options = study_of(spec).options.model_validate(spec.options)
        # With the defaults written out, so that the specification is complete and hashed as a whole.
        return spec.model_copy(update={"options": options.model_dump(mode="json")})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"] if part != "settings")
        reason = first["msg"].removeprefix("Value error, ")
        raise BadSpec(f"{name}: {where + ': ' if where else ''}{reason}.", "docs/lab.md lists the fields.") from None


def load_preset(name: str) -> dict[str, Any]:
    """A preset's table.

    Raises:
        UnknownPreset: no such file; the message lists the known ones.
    """
    if name not in known_presets():
        raise UnknownPreset(f"There is no lab preset called {name!r}.", f"Known: {', '.join(known_presets())}.")
    return tomllib.loads((files("chartcite.lab.presets") / f"{name}.toml").read_text("utf-8"))


def known_presets() -> list[str]:
    """All presets, sorted."""
    names = [entry.name for entry in files("chartcite.lab.presets").iterdir()]
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def _with_common_settings(table: Mapping[str, Any]) -> dict[str, Any]:
    rest = {k: v for k, v in table.items() if k != "settings"}
    common, strategies = table.get("settings", {}), table.get("strategies")
    if isinstance(common, Mapping) and isinstance(strategies, list):
        rest["strategies"] = [{**common, **s} if isinstance(s, Mapping) else s for s in strategies]
    elif common:
        rest["settings"] = common  # refused by name, as any unknown field
    return rest
