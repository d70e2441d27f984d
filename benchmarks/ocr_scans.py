"""Made scans through the OCR engine: `python benchmarks/ocr_scans.py --part dev --out FILE.json`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from importlib import import_module
from pathlib import Path

from chartcite.readers.ocr_words import words_on_page
from chartcite.readers.pdf_assembly import Assembled, assemble
from chartcite.readers.pdf_order import reading_order
from ocr.pages import FONTS, WEAR, drawn, pages, worn
from ocr.score import Score

SEEDS = {"dev": 11, "test": 2011}


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--part", choices=sorted(SEEDS), default="dev")
    asked.add_argument("--engine", default="rapidocr")
    asked.add_argument("--dpi", type=int, nargs="+", default=[150, 200, 300])
    asked.add_argument("--wear", nargs="+", default=list(WEAR))
    asked.add_argument("--each", type=int, default=1)
    asked.add_argument("--fold", action="store_true", help="accents do not count")
    asked.add_argument("--out", type=Path)
    asked.add_argument("--show", action="store_true")
    args = asked.parse_args()
    engine = import_module(f"chartcite.models.ocr.{args.engine}").load()
    scores: dict[str, Score] = defaultdict(Score)
    seconds: dict[int, list[float]] = defaultdict(list)
    for dpi in args.dpi:
        for n, page in enumerate(pages(SEEDS[args.part], args.each)):
            font = FONTS[(n + dpi // 50) % len(FONTS)]
            plain_image = drawn(page, font, dpi)
            for how in args.wear:
                start = time.perf_counter()
                read = assemble([reading_order(words_on_page(engine.read(worn(plain_image, how, n), lambda: None)))])
                seconds[dpi].append(time.perf_counter() - start)
                sure = _sure(read)
                said = " ".join(page.lines)
                for key in ("all", f"{dpi} dpi", how, font, page.lang, page.name.split("-")[0], f"{dpi} {how}"):
                    scores[key].add(said, read.text, sure, fold=args.fold)
                if args.show:
                    print(dpi, how, font, page.name, f"{seconds[dpi][-1]:.1f} s", file=sys.stderr, flush=True)
    _print(scores, seconds)
    if args.out:
        args.out.write_text(json.dumps({k: _row(s) for k, s in scores.items()} | {
            "wrong": scores["all"].wrong, "sure": scores["all"].sure}, ensure_ascii=False))  # fmt: skip


def _sure(read: Assembled) -> list[float]:
    """A confidence for each word between spaces: the lowest of the boxes in it."""
    found, at = [], 0
    for word in read.text.split():
        start = read.text.index(word, at)
        at = start + len(word)
        found.append(read.words.confidence_of(start, at) or 0.0)
    return found


def _row(s: Score) -> dict[str, object]:
    return {
        "words": s.words, "cer": s.char_errors / s.chars, "wer": s.word_errors / s.words,
        "numbers": [s.numbers.right, s.numbers.n], "units": [s.units.right, s.units.n],
        "negations": [s.negations.right, s.negations.n], "auc": s.auc,
    }  # fmt: skip


def _print(scores: dict[str, Score], seconds: dict[int, list[float]]) -> None:
    for key, s in scores.items():
        print(f"{key:14} words {s.words:6} CER {s.char_errors / s.chars:.4f} WER {s.word_errors / s.words:.4f} "
              f"numbers {s.numbers.right}/{s.numbers.n} {s.numbers.share:.4f} units {s.units.right}/{s.units.n} "
              f"negations {s.negations.right}/{s.negations.n} AUC {s.auc}")  # fmt: skip
    for dpi, took in seconds.items():
        print(f"{dpi} dpi: {sum(took) / len(took):.1f} s a page")


if __name__ == "__main__":
    main()
