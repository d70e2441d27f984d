"""The texts that lower rooms say, read from the code: what is given to a named error, a check, or a veto."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import chartcite

SOURCE = Path(chartcite.__file__).parent
_NOT_SPOKEN = ("lab",)
"""Rooms whose errors stay English: their reader reads the experiment's English files."""


def error_names() -> set[str]:
    """Every class that is an error of ours, by the names of its bases, wherever it is defined."""
    bases: dict[str, set[str]] = {}
    for _, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {base.id for base in node.bases if isinstance(base, ast.Name)}
    found = {"ChartciteError"}
    while True:
        more = {name for name, above in bases.items() if above & found} | found
        if more == found:
            return found
        found = more


def trees() -> Iterator[tuple[str, ast.Module]]:
    """The modules by their room, in a fixed order."""
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0]
        if room not in _NOT_SPOKEN and not path.name.startswith("lab"):
            yield path.relative_to(SOURCE).as_posix(), ast.parse(path.read_text("utf-8"))


def template(node: ast.expr) -> Iterator[str]:
    """The texts that an argument may be; `{}` stands for each value put in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from (*template(node.body), *template(node.orelse))
    elif isinstance(node, ast.BoolOp):
        for part in node.values:
            yield from template(part)


def said_by_errors() -> dict[str, str]:
    """Text -> the file that says it, of errors and checks."""
    names, found = error_names() | {"Check"}, dict[str, str]()
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                arguments = node.args[2:] if node.func.id == "Check" else node.args[:2]
                for argument in arguments:
                    for text in template(argument):
                        if any(c.isalpha() for c in text.replace("{}", "")):
                            found.setdefault(text, path)
    return found
