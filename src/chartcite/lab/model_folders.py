"""Models that metrics run, as folders of one's own: each says in a JSON file which model it is, and is loaded once.

A metric without its folder has no figure; a folder that does not say what it holds is refused, because a figure under
the name of another model cannot be told from the right one.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from chartcite.core.errors import ModelMissing, ModelRefused

Card = TypeVar("Card", bound=BaseModel)


class Inference(Protocol):
    """A model of textual inference: how probable is each label for a claim, given a text?"""

    def probabilities(self, claim: str, text: str) -> dict[str, float] | None:
        """By label; None when the two are longer than the model reads."""
        ...


def read_card(folder: str, name: str, kind: type[Card]) -> Card:
    """What a folder says of its model, in `name`.

    Raises:
        ModelMissing: there is no such file.
        ModelRefused: it is not what it should be.
    """
    path = Path(folder).expanduser() / name
    fields = ", ".join(kind.model_fields)
    try:
        return kind.model_validate(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        raise ModelMissing(f"There is no {name} in {path.parent}.", f"It says which model this is: {fields}.") from None
    except (OSError, ValueError, ValidationError) as error:
        raise ModelRefused(f"{path} cannot be used.", f"A JSON object with {fields}.") from error


@lru_cache(maxsize=2)
def inference(folder: str) -> Inference:
    """The model of inference in a folder (see `models/grounder/onnx_folder.py`)."""
    from chartcite.models.grounder.onnx_folder import load  # noqa: PLC0415

    return load(Path(folder).expanduser())


@lru_cache(maxsize=2)
def token_vectors(folder: str) -> Any:
    """The encoder in a folder (see `models/encoder/onnx_folder.py`); its `hidden` gives a text's token vectors."""
    from chartcite.models.encoder.onnx_folder import load  # noqa: PLC0415

    return load(Path(folder).expanduser())
