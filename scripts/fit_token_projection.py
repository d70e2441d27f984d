"""Fit the projection of token vectors: principal axes and int8 scales of an encoder's hidden states.

Usage: python scripts/fit_token_projection.py TEXTS.jsonl[.gz] FIELD N OUT.npz

Reads N texts of FIELD, takes the unit-length hidden states of the bundled encoder and keeps the 96 leading axes of
their (uncentred) second moment. Deterministic: the same texts give the same bytes. The committed file was made from
1,500 answers of MedQuAD (CC BY 4.0); no text can be read back from it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from itertools import islice
from pathlib import Path

import numpy as np

from chartcite.models.encoder.bge_small_en import SETTINGS
from chartcite.models.encoder.onnx_folder import OnnxEncoder
from chartcite.models.files import bundled_folder

DIMS = 96
CLIP_QUANTILE = 0.9999


def main(texts: Path, field: str, n: int, out: Path) -> None:
    encoder = OnnxEncoder("bge_small_en", bundled_folder("bge_small_en"), SETTINGS, None)
    opener = gzip.open if texts.suffix == ".gz" else Path.open
    with opener(texts, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line)[field] for line in islice(lines, 0, 10 * n, 10)]
    hidden = np.concatenate([encoder.hidden(text) for text in rows if text.strip()])
    hidden /= np.linalg.norm(hidden, axis=1, keepdims=True)
    _, vectors = np.linalg.eigh(hidden.T.astype(np.float64) @ hidden / len(hidden))
    axes = vectors[:, ::-1][:, :DIMS].astype(np.float32)
    axes *= np.where(axes[np.abs(axes).argmax(axis=0), np.arange(DIMS)] < 0, -1, 1)  # a sign eigh leaves open
    projected = hidden @ axes
    projected /= np.linalg.norm(projected, axis=1, keepdims=True)
    scale = (np.quantile(np.abs(projected), CLIP_QUANTILE, axis=0) / 127).astype(np.float32)
    np.savez(out, axes=axes, scale=scale)
    print(f"{len(rows)} texts, {len(hidden)} tokens; sha256 {hashlib.sha256(out.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
