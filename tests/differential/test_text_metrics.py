"""Scores of texts against the libraries whose name they bear, and against brute force: random texts, seeded.

60 texts each by default, 1,000 with `-m soak`. Words repeat, have accents, numbers and line ends; texts may be empty.
"""

from __future__ import annotations

import importlib
import itertools
import math
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from chartcite.lab.meteor import align, candidates, meteor_words, scored
from chartcite.lab.metrics.bleu import bleu
from chartcite.lab.metrics.chrf import Chrf
from chartcite.lab.metrics.meteor import Meteor
from chartcite.lab.metrics.meteor_nltk import MeteorNltk, meteor_nltk
from chartcite.lab.metrics.sacrebleu import SacreBleu
from chartcite.lab.metrics.sari_easse import sari_easse
from chartcite.lab.metrics.sari_evaluate import sari_evaluate
from chartcite.lab.rouge import rouge
from chartcite.lab.wordnet import DEBIAN, is_there

WORDS = ["the", "dose", "doses", "was", "raised", "no", "não", "nao", "lesões", "lesão", "2.5", "mg", "INR", "pain,",
         "today.", "(left)", "A-1C", "&amp;", "stable;", "Stable", "3-4", "é"]  # fmt: skip
SIZES = [60, pytest.param(1000, marks=pytest.mark.soak)]

rouge_scorer: Any = importlib.import_module("rouge_score.rouge_scorer")
sacrebleu: Any = importlib.import_module("sacrebleu")
nltk_bleu: Any = importlib.import_module("nltk.translate.bleu_score")


def text(rng: random.Random, least: int = 1, most: int = 14) -> str:
    words = rng.choices(WORDS[: rng.choice([6, len(WORDS)])], k=rng.randint(least, most))
    return "".join(word + rng.choice([" ", " ", " ", "\n", "  "]) for word in words)


def pairs(seed: int, n: int) -> Iterator[tuple[str, str]]:
    rng = random.Random(seed)
    return ((text(rng), text(rng)) for _ in range(n))


@pytest.mark.parametrize("size", SIZES)
def test_rouge_is_the_librarys_where_words_are_ascii_and_brute_force_where_not(size: int) -> None:
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    stock = rouge_scorer.RougeScorer(kinds)
    differ = 0
    for said, gold in pairs(11, size):
        theirs = stock.score(gold, said)
        for kind in kinds:
            assert rouge(kind, said, gold, "ascii") == pytest.approx(theirs[kind].fmeasure, abs=1e-12), (said, gold)
            mine = _rouge(kind, said, gold)
            assert rouge(kind, said, gold) == pytest.approx(mine, abs=1e-9), (kind, said, gold)
            differ += abs(mine - theirs[kind].fmeasure) > 1e-9
    assert differ > size / 4


def _rouge(kind: str, said: str, gold: str) -> float:
    """By tuples and sets of places; the longest common subsequence by looking at all choices of the memory."""
    lines = [[tuple(re.findall(r"[^\W_]+", line.lower())) for line in side.split("\n")] for side in (said, gold)]
    flat = [sum(side, ()) for side in lines]
    if kind in ("rouge1", "rouge2"):
        n = int(kind[-1])
        grams = [[side[i : i + n] for i in range(len(side) - n + 1)] for side in flat]
        hits = sum(min(grams[0].count(g), grams[1].count(g)) for g in set(grams[0]))
        return _f1(hits, len(grams[0]), len(grams[1]))
    if kind == "rougeL":
        return _f1(len(_subsequence(flat[1], flat[0])), len(flat[0]), len(flat[1]))
    left = [list(side) for side in flat]
    hits = 0
    for line in lines[1]:
        for at in sorted({at for other in lines[0] for at in _subsequence(line, other)}):
            if line[at] in left[0] and line[at] in left[1]:
                hits += 1
                left[0].remove(line[at])
                left[1].remove(line[at])
    return _f1(hits, len(flat[0]), len(flat[1]))


def _subsequence(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """Places in `one`; of several longest, the one that the library's walk from the end finds."""
    length: dict[tuple[int, int], int] = {}
    for i, j in itertools.product(range(len(one) + 1), range(len(other) + 1)):
        if not i or not j:
            length[i, j] = 0
        elif one[i - 1] == other[j - 1]:
            length[i, j] = length[i - 1, j - 1] + 1
        else:
            length[i, j] = max(length[i - 1, j], length[i, j - 1])
    places, i, j = [], len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif length[i, j - 1] > length[i - 1, j]:
            j -= 1
        else:
            i -= 1
    return places


def _f1(hits: int, ours: int, theirs: int) -> float:
    return 2 * hits / (ours + theirs) if hits else 0.0


@pytest.mark.parametrize("size", SIZES)
def test_bleu_is_that_of_two_libraries_for_one_reference(size: int) -> None:
    known = sacrebleu.BLEU(smooth_method="none")
    above = 0
    for other, gold in pairs(12, size):
        said = gold[: len(gold) * 2 // 3] + other  # so that some have four words in common
        ours = bleu(said, [gold])
        assert ours == pytest.approx(known.corpus_score([said], [[gold]]).score / 100, abs=1e-9), (said, gold)
        tokens = [sacrebleu.tokenizers.tokenizer_13a.Tokenizer13a()(t).split() for t in (said, gold)]
        if ours:
            assert ours == pytest.approx(nltk_bleu.sentence_bleu([tokens[1]], tokens[0]), abs=1e-9)
        above += ours > 0
    assert above > size / 4


@pytest.mark.parametrize("size", SIZES)
def test_bleu_of_several_references_by_brute_force(size: int) -> None:
    rng = random.Random(13)
    for _ in range(size):
        golds = [text(rng, 5, 16) for _ in range(rng.randint(2, 4))]
        said = rng.choice(golds)[: rng.randint(5, 60)] + " " + text(rng)
        assert bleu(said, golds) == pytest.approx(_bleu(said, golds), abs=1e-9), (said, golds)


def _bleu(said: str, golds: Sequence[str]) -> float:
    cut = sacrebleu.tokenizers.tokenizer_13a.Tokenizer13a()
    ours, sides = cut(said).split(), [cut(g).split() for g in golds]
    shares = []
    for n in (1, 2, 3, 4):
        grams = [tuple(ours[i : i + n]) for i in range(len(ours) - n + 1)]
        most = {g: max(sum(tuple(s[i : i + n]) == g for i in range(len(s))) for s in sides) for g in grams}
        shares.append(sum(min(grams.count(g), most[g]) for g in most) / len(grams) if grams else 0.0)
    penalty = min(1.0, math.exp(1 - min(map(len, sides)) / len(ours)))
    return penalty * math.prod(shares) ** 0.25


@pytest.mark.parametrize("size", SIZES)
def test_sacrebleu_and_chrf_are_the_librarys_by_case_and_over_the_corpus(size: int) -> None:
    rng = random.Random(14)
    gold = {str(i): [text(rng) for _ in range(1 + i % 2)] for i in range(size)}
    said = {case: text(rng) for case in gold if rng.random() < 0.9}
    blue, chrf = SacreBleu().measure(gold, said), Chrf().measure(gold, said)
    for case, refs in gold.items():
        if case in said:
            assert chrf.per_case("chrf")[case] == pytest.approx(_chrf(said[case], refs), abs=1e-9)
            theirs = sacrebleu.sentence_bleu(said[case], refs).score / 100
            assert blue.per_case("sacrebleu")[case] == pytest.approx(theirs, abs=1e-12)
    second = [refs[1] if len(refs) > 1 else None for refs in gold.values()]
    whole = sacrebleu.corpus_bleu([said.get(c, "") for c in gold], [[r[0] for r in gold.values()], second])
    assert blue["sacrebleu.corpus"].value == pytest.approx(whole.score / 100, abs=1e-12)


def _chrf(said: str, refs: Sequence[str]) -> float:
    return max(_chrf_of_one("".join(said.split()), "".join(ref.split())) for ref in refs)


def _chrf_of_one(ours: str, theirs: str) -> float:
    shares = []
    for n in range(1, 7):
        mine, others = ([side[i : i + n] for i in range(len(side) - n + 1)] for side in (ours, theirs))
        if mine and others:
            hits = sum(min(mine.count(g), others.count(g)) for g in set(mine))
            shares.append((hits / len(mine), hits / len(others)))
    if not shares:
        return 0.0
    p, r = (sum(side) / len(shares) for side in zip(*shares, strict=True))
    return 5 * p * r / (4 * p + r) if p + r else 0.0


@pytest.mark.parametrize("size", SIZES)
def test_both_saris_by_brute_force(size: int) -> None:
    rng = random.Random(15)
    for _ in range(size):
        source = text(rng, 3, 12)
        said = source[: rng.randint(0, len(source))] + text(rng, 0, 5)
        golds = [source[rng.randint(0, len(source)) :] + " " + text(rng, 1, 6) for _ in range(rng.randint(1, 3))]
        if said.strip():
            for ours, evaluates in ((sari_evaluate, True), (sari_easse, False)):
                assert ours(source, said, golds) == pytest.approx(
                    _sari(source, said, golds, evaluates=evaluates), abs=1e-9
                ), (source, said, golds)


def _sari(source: str, said: str, golds: Sequence[str], *, evaluates: bool) -> float:
    """Both families from lists of n-grams, each counted one by one."""
    cut, total = sacrebleu.tokenizers.tokenizer_13a.Tokenizer13a(), 0.0
    for n in (1, 2, 3, 4):

        def grams(side: str, n: int = n) -> list[tuple[str, ...]]:
            tokens = cut(side.lower()).split()
            return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]

        own, ours, theirs = grams(source), grams(said), [g for gold in golds for g in grams(gold)]
        every, k, nothing = {*own, *ours, *theirs}, len(golds), 1.0 if evaluates else 0.0

        def share(part: float, whole: float, nothing: float = nothing) -> float:
            return part / whole if whole else nothing

        def mean(p: float, r: float) -> float:
            return 2 * p * r / (p + r) if p + r else 0.0

        keep = {g: min(own.count(g), ours.count(g)) * k for g in every}
        drop = {g: max(own.count(g) - ours.count(g), 0) * k for g in every}
        good = {g: min(keep[g], theirs.count(g)) for g in every}
        gone = {g: min(drop[g], max(own.count(g) * k - theirs.count(g), 0)) for g in every}
        wanted = sum(min(own.count(g) * k, theirs.count(g)) for g in every)
        unwanted = sum(max(own.count(g) * k - theirs.count(g), 0) for g in every)
        new, asked = set(ours) - set(own), set(theirs) - set(own)
        add = mean(share(len(new & asked), len(new)), share(len(new & asked), len(asked)))
        if evaluates:
            kept, dropped = [g for g in every if keep[g]], [g for g in every if drop[g]]
            precision = share(sum(good[g] / keep[g] for g in kept), len(kept))
            total += mean(precision, share(sum(good.values()), wanted)) + add
            total += share(sum(gone[g] / drop[g] for g in dropped), len(dropped))
        else:
            precision = share(sum(good.values()), sum(keep.values()))
            total += mean(precision, share(sum(good.values()), wanted)) + add
            total += mean(share(sum(gone.values()), sum(drop.values())), share(sum(gone.values()), unwanted))
    return total / 12


@pytest.mark.parametrize("size", SIZES)
def test_meteor_finds_the_most_matches_in_the_fewest_chunks(size: int) -> None:
    rng = random.Random(16)
    for _ in range(size):
        ours, theirs = (rng.choices(["the", "dose", "doses", "was", "raised"], k=rng.randint(1, 7)) for _ in range(2))
        options = candidates(ours, theirs)
        assert align(options) == _aligned(options), (ours, theirs)


def _aligned(options: Sequence[Sequence[int]]) -> tuple[int, int]:
    """All alignments, one by one."""
    best = (0, 0)
    for chosen in itertools.product(*([-1, *places] for places in options)):
        pairs = [(i, j) for i, j in enumerate(chosen) if j >= 0]
        if len({j for _, j in pairs}) == len(pairs):
            chunks = sum((i - 1, j - 1) not in pairs for i, j in pairs)
            best = max(best, (len(pairs), -chunks))
    return best[0], -best[1]


@pytest.mark.parametrize("size", SIZES)
def test_meteor_of_nltk_takes_the_last_free_word_stage_by_stage(size: int) -> None:
    stemmer: Any = importlib.import_module("nltk.stem.porter").PorterStemmer()
    for said, gold in pairs(17, size):
        expected = _greedy(meteor_words(said), meteor_words(gold), stemmer.stem)
        assert meteor_nltk(said, gold, lambda _: frozenset()) == pytest.approx(expected, abs=1e-9), (said, gold)


def _greedy(ours: Sequence[str], theirs: Sequence[str], stem: Any) -> float:
    """Stage by stage, each word from the last with the last free one."""
    taken: dict[int, int] = {}
    for key in (str, stem):
        for i in reversed(range(len(ours))):
            free = [j for j in range(len(theirs)) if j not in taken.values() and key(theirs[j]) == key(ours[i])]
            if i not in taken and free:
                taken[i] = free[-1]
    chunks = sum(taken.get(i - 1) != j - 1 for i, j in taken.items())
    return scored(len(taken), chunks, len(ours), len(theirs))


@pytest.mark.skipif(not is_there(), reason="needs WordNet (Debian: wordnet-base)")
def test_debians_wordnet_gives_synonyms() -> None:
    gold, said = {"1": ["The physician halted the drug."]}, {"1": "The doctors stopped the drug."}
    assert Path(DEBIAN).is_dir()
    for metric, least in ((Meteor(), 0.99), (MeteorNltk(), 0.5)):
        value = metric.measure(gold, said)[metric.name].value
        assert value is not None
        assert value > least
