"""Sentence splitters of others, run by a Python that has them.

`{"engine", "texts": [{"lang", "text"}]}` comes on standard input, one list of `[start, end]` a text goes to standard
output. Only that Python's packages are used here.

`NAME-lines` cuts at line ends first and gives the engine each line, which is what users of it do with notes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module


def pysbd_spans(text: str, lang: str) -> Iterator[tuple[int, int]]:
    """Without Portuguese in pysbd, its Spanish rules are the nearest."""
    segmenter = import_module("pysbd").Segmenter(language="es" if lang == "pt" else "en", clean=False, char_span=True)
    for span in segmenter.segment(text):
        yield span.start, span.end


def syntok_spans(text: str, lang: str) -> Iterator[tuple[int, int]]:
    """Paragraph by paragraph, as it does itself; without its joining of hyphened words, which moves offsets.

    It tells English, Spanish and German apart by itself, so `lang` is not used.
    """
    del lang
    segmenter, tokenizer = import_module("syntok.segmenter"), import_module("syntok.tokenizer").Tokenizer()
    for paragraph in re.finditer(r"\S.*?(?=\n\s*\n|\Z)", text, re.DOTALL):
        for sentence in segmenter.segment(tokenizer.tokenize(paragraph[0])):
            last = sentence[-1]
            yield paragraph.start() + sentence[0].offset, paragraph.start() + last.offset + len(last.value)


ENGINES = {"pysbd": pysbd_spans, "syntok": syntok_spans}


def spans_of(engine: str, text: str, lang: str) -> list[tuple[int, int]]:
    name, _, by_line = engine.partition("-")
    if not by_line:
        return list(ENGINES[name](text, lang))
    found: list[tuple[int, int]] = []
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            found += [(at + start, at + end) for start, end in ENGINES[name](line, lang)]
        at += len(line)
    return found


def main() -> None:
    asked = json.load(sys.stdin)
    json.dump([spans_of(asked["engine"], case["text"], case["lang"]) for case in asked["texts"]], sys.stdout)


if __name__ == "__main__":
    main()
