"""What an ONNX file asks for beside itself, read from its bytes before any runtime sees it.

An ONNX graph is data; two things in it reach further: weights in other files (`external_data`), whose path the file
names, and operators of a foreign domain, which only a native library could run. Both are looked for with a reader of
protobuf's wire format of a page; message and field numbers are those of `onnx.proto`.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from chartcite.core.errors import ModelMissing, ModelRefused

KNOWN_DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc"})

_MODEL_GRAPH, _MODEL_OPSET, _MODEL_FUNCTION = 7, 8, 25
_GRAPH_NODE, _GRAPH_INITIALIZER, _GRAPH_SPARSE = 1, 5, 15
_NODE_ATTRIBUTE, _NODE_DOMAIN = 5, 7
_ATTRIBUTE_TENSOR, _ATTRIBUTE_GRAPH, _ATTRIBUTE_TENSORS, _ATTRIBUTE_GRAPHS = 5, 6, 10, 11
_TENSOR_EXTERNAL, _FUNCTION_NODE = 13, 7
_SPARSE_TENSORS = (1, 2)  # values and indices
_MAX_DEPTH = 40

_Buffer = mmap.mmap | bytes
_Part = tuple[int, int]


@dataclass(slots=True)
class OnnxNeeds:
    """Names of other files, and operator domains, in the order in which they stand."""

    files: dict[str, None]
    domains: dict[str, None]


def needs_of(path: Path) -> OnnxNeeds:
    """Read what a model file asks for. Cost: its structure only; weights are passed over.

    Raises:
        ModelRefused: it is not a protobuf message.
    """
    needs = OnnxNeeds({}, {})
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            _model(data, needs)
    except (ValueError, IndexError, UnicodeDecodeError) as error:  # an empty file cannot be mapped either
        raise ModelRefused(f"{path.name} is not an ONNX model that can be run.", "Export it again.") from error
    return needs


def check(path: Path) -> list[Path]:
    """Refuse a model that reaches out of its folder or needs a library; returns the weight files it names.

    Raises:
        ModelRefused: a weight file's path leaves the folder, or an operator is of an unknown domain.
        ModelMissing: a weight file is not there.
    """
    needs = needs_of(path)
    foreign = sorted(set(needs.domains) - KNOWN_DOMAINS)
    if foreign:
        raise ModelRefused(
            f"{path.name} needs operators of a library of its own ({', '.join(foreign)[:80]}), which is never loaded.",
            "Export the model with standard operators.",
        )
    found = []
    for name in needs.files:
        pure = PurePosixPath(name)
        if not name or pure.is_absolute() or ".." in pure.parts or "\\" in name or PureWindowsPath(name).drive:
            raise ModelRefused(
                f"{path.name} names weights outside its folder; they are never read.",
                "Export the model again, with its weights beside it.",
            )
        weights = path.parent / pure
        if not weights.is_file():
            raise ModelMissing(f"{path.name} lacks its weight file {pure.name}.", "Copy it beside the model.")
        found.append(weights)
    return found


def _model(data: _Buffer, needs: OnnxNeeds) -> None:
    for number, part in _fields(data, (0, len(data))):
        if number == _MODEL_GRAPH:
            _graph(data, part, needs, 0)
        elif number == _MODEL_OPSET:
            for inner, text in _fields(data, part):
                if inner == 1:
                    needs.domains[_text(data, text)] = None
        elif number == _MODEL_FUNCTION:
            for inner, node in _fields(data, part):
                if inner == _FUNCTION_NODE:
                    _node(data, node, needs, 0)


def _graph(data: _Buffer, part: _Part, needs: OnnxNeeds, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise ValueError("graphs within graphs")
    for number, inner in _fields(data, part):
        if number == _GRAPH_NODE:
            _node(data, inner, needs, depth)
        elif number == _GRAPH_INITIALIZER:
            _tensor(data, inner, needs)
        elif number == _GRAPH_SPARSE:
            for kind, tensor in _fields(data, inner):
                if kind in _SPARSE_TENSORS:
                    _tensor(data, tensor, needs)


def _node(data: _Buffer, part: _Part, needs: OnnxNeeds, depth: int) -> None:
    for number, inner in _fields(data, part):
        if number == _NODE_DOMAIN:
            needs.domains[_text(data, inner)] = None
        elif number == _NODE_ATTRIBUTE:
            for kind, value in _fields(data, inner):
                if kind in (_ATTRIBUTE_GRAPH, _ATTRIBUTE_GRAPHS):
                    _graph(data, value, needs, depth + 1)
                elif kind in (_ATTRIBUTE_TENSOR, _ATTRIBUTE_TENSORS):
                    _tensor(data, value, needs)


def _tensor(data: _Buffer, part: _Part, needs: OnnxNeeds) -> None:
    for number, inner in _fields(data, part):
        if number == _TENSOR_EXTERNAL:
            pair = {kind: _text(data, value) for kind, value in _fields(data, inner)}
            if pair.get(1) == "location":
                needs.files[pair.get(2, "")] = None


def _fields(data: _Buffer, part: _Part) -> Iterator[tuple[int, _Part]]:
    """The length-delimited fields of a message: number and place. Others are passed over."""
    at, end = part
    while at < end:
        key, at = _varint(data, at, end)
        wire = key & 7
        if wire == 0:
            _, at = _varint(data, at, end)
        elif wire == 1:
            at += 8
        elif wire == 5:
            at += 4
        elif wire == 2:
            size, at = _varint(data, at, end)
            if at + size > end:
                raise ValueError("a field ends after its message")
            yield key >> 3, (at, at + size)
            at += size
        else:
            raise ValueError("not a wire type")
    if at != end:
        raise ValueError("a field ends after its message")


def _varint(data: _Buffer, at: int, end: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        if at >= end or shift > 63:
            raise ValueError("a number without end")
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return number, at
        shift += 7


def _text(data: _Buffer, part: _Part) -> str:
    return bytes(data[part[0] : part[1]]).decode()
