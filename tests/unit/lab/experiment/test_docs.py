"""The experiments that docs/lab.md shows are experiments."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from chartcite.lab.experiment.loading import parse_experiment

PAGE = Path(__file__).parents[4] / "docs" / "lab.md"


def test_the_examples_parse() -> None:
    blocks = [tomllib.loads(b) for b in re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)]
    preset, whole, strategy = blocks
    assert parse_experiment(preset).data.answer_limit == 20
    assert parse_experiment(whole).pairs == (("default", "words"),)
    added = whole | {"strategies": [*whole["strategies"], *strategy["strategies"]]}
    assert parse_experiment(added).strategies[2].settings.encoder == "onnx_folder:/models/biobertpt"
