"""Libraries of the extra `lab`, imported only when a figure needs them. The base install has none of them."""

from __future__ import annotations

import importlib
from typing import Any

from chartcite.core.errors import MissingExtra

_DISTRIBUTION = {"ir_measures": "ir-measures", "rouge_score": "rouge-score"}


def need(module: str) -> Any:
    """The module, imported.

    Raises:
        MissingExtra: it is not installed; the advice is the command that installs it.

    >>> need("math").floor(2.5)
    2
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        top = module.split(".", maxsplit=1)[0]
        if (error.name or "").split(".")[0] != top:
            raise
        raise MissingExtra(f"The lab needs {_DISTRIBUTION.get(top, top)}.", "pip install 'chartcite[lab]'") from error
