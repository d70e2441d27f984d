"""The text measures of ArchEHR-QA by their official names: each case on its own, then averaged.

ROUGE, BLEU and SARI are the forms of `evaluate`: ROUGE with the library's own words (ASCII). BERTScore is that of
distilbert-base-uncased, layer 4, rescaled; AlignScore the base checkpoint; a folder with another model gives no figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chartcite.lab.archehr_scores.result import Board
from chartcite.lab.measured import Measured, Metric
from chartcite.lab.metrics.alignscore import AlignScore
from chartcite.lab.metrics.bertscore import BertScore
from chartcite.lab.metrics.bleu import Bleu
from chartcite.lab.metrics.medcon import Medcon
from chartcite.lab.metrics.rouge_1 import Rouge1
from chartcite.lab.metrics.rouge_2 import Rouge2
from chartcite.lab.metrics.rouge_l import RougeL
from chartcite.lab.metrics.rouge_lsum import RougeLsum
from chartcite.lab.metrics.sari_evaluate import SariEvaluate
from chartcite.lab.sari import Revision
from chartcite.lab.text_scores import without

ROUGES: Mapping[str, Metric[Sequence[str], str]] = {
    "rouge1": Rouge1("ascii"), "rouge2": Rouge2("ascii"), "rougeL": RougeL("ascii"), "rougeLsum": RougeLsum("ascii"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Models:
    """Folders of what the model-based measures need; empty: those have no figure."""

    bertscore: str = ""
    alignscore: str = ""
    medcon: str = ""


def put_texts(board: Board, predicted: Mapping[str, str], gold: Mapping[str, str], models: Models) -> None:
    """All ROUGEs, BERTScore, AlignScore and MEDCON of texts against one reference each."""
    references = {case: [text] for case, text in gold.items()}
    for name, rouge in ROUGES.items():
        _put(board, name, rouge.measure(references, predicted))
    _put(board, "bertscore", _bertscore(references, predicted, models.bertscore))
    _put(board, "alignscore", _alignscore(references, predicted, models.alignscore))
    _put(board, "medcon", Medcon(models.medcon).measure(references, predicted))


def put_bleu(board: Board, predicted: Mapping[str, str], gold: Mapping[str, str]) -> None:
    """BLEU against one reference each."""
    _put(board, "bleu", Bleu().measure({case: [text] for case, text in gold.items()}, predicted))


def put_sari(board: Board, predicted: Mapping[str, str], gold: Mapping[str, Revision]) -> None:
    """SARI against a source and one reference each."""
    _put(board, "sari", SariEvaluate().measure(gold, predicted))


def _bertscore(gold: Mapping[str, list[str]], predicted: Mapping[str, str], folder: str) -> Measured:
    metric = BertScore(folder)
    if folder:
        card = metric.card
        if (card.model, card.layer) != ("distilbert-base-uncased", 4) or card.baseline is None:
            why = f"the folder holds {card.model}, layer {card.layer}: official is distilbert-base-uncased, 4, rescaled"
            return without(metric.name, gold, why)
    return metric.measure(gold, predicted)


def _alignscore(gold: Mapping[str, list[str]], predicted: Mapping[str, str], folder: str) -> Measured:
    metric = AlignScore(folder)
    if folder and metric.card.checkpoint != "AlignScore-base":
        return without(metric.name, gold, f"the folder holds {metric.card.checkpoint}: official is AlignScore-base")
    return metric.measure(gold, predicted)


def _put(board: Board, name: str, measured: Measured) -> None:
    """A figure over all cases; a case without one leaves none."""
    (summary,) = measured.summaries
    holes = sum(v.value is None for v in measured.values)
    board.add(measured, {name: summary.measure}, {summary.measure: name})
    if holes and summary.value is not None:
        board.put(name, None, f"{holes} of {len(measured.values)} cases have no figure")
