"""Reads Portuguese as the rules read English: small words, words of doing and abbreviations by their equivalents.

`não há` is `no`, `joelho D` is `joelho direito`, `foi suspensa` is `was stopped`. Terms stay as they are (the lists
have them in both languages), and so do the places of all words. Whether a text is Portuguese its small words and
accents tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple
from unicodedata import normalize

from chartcite.facts.lexicon import FACTS, read_rows, read_words, word_set
from chartcite.facts.portuguese import base
from chartcite.facts.tokens import Token, fold, tokenise
from chartcite.text.language import detect, small_words

_ENGLISH = word_set(
    "the of and with is was were had has have for or to in on at denies evidence reports not patient pt but by from "
    "his her she he this that which who are be been any"
)
_PORTUGUESE = word_set(
    "pelo pela pelos pelas fez faz usa tem teve nem ela dos das com em nas por ao aos um uma nao foi sem dor abdome "
    "lesao anos ano dias dia meses horas febre tipo grau mes ja joelho ombro peito que nega mae pai sao hemoglobina "
    "plaquetas leucocitos creatinina sodio potassio ureia glicemia tosse cefaleia dispneia fratura tomografia "
    "radiografia membro membros lobo perna braco mao olho direita esquerda direito esquerdo axila virilha "
    "panturrilha coxa quadril peso altura caiu ficou ocorreram solicitada triagem reflexo reflexos mede hoje usa "
    "composta ferro urina fezes sangue olhos pele dedo punho tornozelo pescoco insulina losartana dipirona "
    "prednisona omeprazol alergia antibiotico vez vezes comprimido comprimidos jejum toma tomou tomava tomando fuma "
    "fumou bebe ele eles dele dela qual quais quando quem onde quanto quanta quantos quantas desde houve consta "
    "nunca ultima ultimo tinha possui sra"
)
# English texts have these too: one alone proves nothing.
_WEAK = word_set("de da do os as e na no nos ha o a")
_CAPITALS = word_set("tem fez ela nem usa faz os as do da ha no nos em um com sem sao dia mes ao dos das pai")
_ENGLISH_TOO = word_set(
    "local regular doses anterior previa graves grave normal total oral hospital placebo conta media nova sobre "
    "mental plano bilateral muscular reside crises"
)
_WORD = re.compile(r"[^\W\d_]+")
_ENDING = re.compile(r"\w{3,}(?:ou|aram|iram|eram|[^n]ad[oa]s?|id[oa]s|coes|cao|ssao)")
_NO_ENDING = word_set("avocado tornado canada armada colorado bayou candidas thou")
_ACCENT = re.compile(
    r"[ãõçà]|\bé\b|\d,\d(?![\d-])|(?<!\d)(\d{1,2})/\1\s?h\b|\bde \d|\w[áíóúâêôé]\w*|[1-9][ºª]",
    re.IGNORECASE,
)


class _Row(NamedTuple):
    """Folded Portuguese words and the English ones that they are read as."""

    words: tuple[str, ...]
    english: tuple[str, ...]


class _Table(NamedTuple):
    """The rows by first word, longest first; single verbs by their base form; words that tell the language."""

    rows: dict[str, tuple[_Row, ...]]
    verbs: dict[str, tuple[str, ...]]
    marks: frozenset[str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    rows: dict[str, list[_Row]] = {}
    verbs: dict[str, tuple[str, ...]] = {}
    marks = set(_PORTUGUESE)
    for english, spellings in read_rows(FACTS, "portuguese_words.tsv"):
        for spelling in spellings.split("|"):
            # The pronoun of "queixou-se de" is left out of the texts too.
            words = tuple(t.text for n, t in enumerate(tokenise(spelling)) if not n or t.text != "se")
            rows.setdefault(words[0], []).append(_Row(words, tuple(fold(english).split())))
            if len(words) == 1 and words[0].endswith(("ar", "ado", "ido")):
                verbs.setdefault(base(words[0]), tuple(fold(english).split()))
            if len(words) == 1 and len(words[0]) > 4 and words[0] not in _ENGLISH_TOO:
                marks.add(words[0])
    ordered = {first: tuple(sorted(found, key=lambda row: -len(row.words))) for first, found in rows.items()}
    return _Table(ordered, verbs, frozenset(marks))


@lru_cache(maxsize=16384)
def is_mark(word: str) -> bool:
    """Whether a folded word speaks for Portuguese; a text of plain letters without any is not Portuguese."""
    return word in _table().marks or (word not in _NO_ENDING and _ENDING.fullmatch(word) is not None)


@lru_cache(maxsize=8192)
def is_portuguese(text: str) -> bool:
    """Whether a text has more of Portuguese in it than of English."""
    written = set(_WORD.findall(text))
    words = {fold(word) for word in written}
    loud = {fold(word) for word in written if word.isupper()} & _CAPITALS if not text.isupper() else frozenset[str]()
    marks = sum(map(is_mark, words - loud))
    has_accent = _ACCENT.search(text) is not None
    hints = len((words & _WEAK) - loud) + 2 * has_accent
    return (marks > 0 or has_accent) and 2 * marks + hints > 2 * len((words & _ENGLISH) - _WEAK)


def question_language(text: str) -> Literal["en", "pt"]:
    """English unless the text is Portuguese; a short question shows it by its accents and words of doing.

    A number alone (`1,200`) is no language.

    >>> question_language("Qual a última creatinina?"), question_language("Latest creatinine?")
    ('pt', 'en')
    """
    return passage_language(text) if _LETTERS.search(text) else "en"


def passage_language(text: str) -> Literal["en", "pt"]:
    """The language by which a passage is indexed: in Portuguese a decimal comma alone tells it."""
    text = normalize("NFC", text)  # accents that stand apart tell the language too
    found = detect(text)
    return "pt" if found == "pt" or (not found and is_portuguese(text)) else "en"


_LETTERS = re.compile(r"[^\W\d_]{2}")
_SHORT_CHARS = 400


def document_language(text: str) -> Literal["en", "pt", "und"]:
    """The language of a document; `und` (BCP 47) for one too short to tell, or in both.

    >>> [document_language(t) for t in ("BP 120/80", "Hb 10,2. Sem febre.", "He has had pain for two days.")]
    ['und', 'pt', 'en']
    """
    text = normalize("NFC", text)
    is_short = len(text) <= _SHORT_CHARS and small_words(text)[0] < 2
    return detect(text) or ("pt" if is_short and is_portuguese(text) else "und")


@lru_cache(maxsize=1)
def _short_forms() -> dict[str, tuple[str, ...]]:
    """Abbreviations that are read so in Portuguese only, as written, with the folded words they stand for."""
    return {short: tuple(t.text for t in tokenise(full)) for short, full in read_rows(FACTS, "portuguese_short.tsv")}


_GROUPED = re.compile(r"(?<![\d.,/])[1-9]\d{0,2}(?:\.\d{3})+(?![\d/]|\.\d)")
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
# There is no thousandth of a cell: `12.300/mm3` are thousands in any language.
_CELLS = re.compile(
    r"(?<![\d.,/])[1-9]\d{0,2}(?:\.\d{3})+(?=\s*(?:c[eé]l(?:ula)?s?\.?|cells?|leuc[oó]citos|wbcs?)?"
    r"\s*(?:/|\bpor\b|\bper\b)\s*(?:mm3|mm³|[uµμ]l|mcl|microlit)(?![^\W\d_]*\d))",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def with_english_numbers(text: str) -> str:
    """The text with numbers as in English, offsets kept: `1.200` is `1,200`, `3,125` is `3.125`.

    In an English text only cell counts are written anew, `12.300/mm3`.
    """
    points = [found.span() for found in _CELLS.finditer(text)] if "." in text else []
    if not is_portuguese(text):
        return _grouped(list(text), points) if points else text
    points += [found.span() for found in _GROUPED.finditer(text)]
    return _grouped(list(_DECIMAL.sub(".", text)), points)


def _grouped(chars: list[str], points: Sequence[tuple[int, int]]) -> str:
    for start, end in points:
        chars[start:end] = ["," if char == "." else char for char in chars[start:end]]
    return "".join(chars)


def in_language(tokens: Sequence[Token], text: str) -> tuple[Token, ...]:
    """The tokens of a text; of a Portuguese one those that the rules know in English, in English."""
    if not is_portuguese(text):
        return tuple(tokens)
    plain = list(_written_out(tokens, text))
    out: list[Token] = []
    at = 0
    while at < len(plain):
        row = _row_at(plain, at, text)
        if row is None:
            out.append(plain[at])
            at += 1
            continue
        last = at + len(row.words)
        out.extend(Token(plain[at].start, plain[last - 1].end, word, False) for word in row.english)
        at = last
    return tuple(_with_from(_with_replacement(out)))


# "s/ edema", "c/ febre"
_CUT = {"s": "sem", "c": "com", "p": "para"}
_SIDES = {"D": "direito", "E": "esquerdo"}
_BEFORE_A_SIDE = word_set(
    "a ao direito inferior superior medio media proximal distal frontal parietal temporal occipital inguinal lombar "
    "plantar axilar cervical femoral renal pleural ovariana mamaria base apice lobo membro lado hemitorax "
    "hipocondrio flanco fossa iliaca"
)
_REFLEXIVE = re.compile(r"\w{2,}(?:ou|eu|iu|aram|eram|iram|ava|avam)")


def _written_out(tokens: Sequence[Token], text: str) -> Iterator[Token]:
    """Abbreviations and sides in words; pronouns that say nothing are left out."""
    before: Token | None = None
    for n, token in enumerate(tokens):
        after = tokens[n + 1] if n + 1 < len(tokens) else None
        raw = text[token.start : token.end]
        is_cut = after is not None and after.start == token.end and after.text == "/"
        words = _short_forms().get(raw)
        if token.text == "/" and before is not None and before.text in _CUT.values() and before.end == token.start:
            continue
        if _says_nothing(token, before, after, text) or (token.text == "." and _is_title(before, token)):
            continue
        if is_cut and token.text in _CUT:
            found = [token._replace(text=_CUT[token.text])]
        elif words is not None:
            found = [token._replace(text=word) for word in words]
        elif raw in _SIDES and before is not None and _takes_side(before):
            found = [token._replace(text=_SIDES[raw])]
        else:
            found = [token]
        yield from found
        before = found[-1]


def _says_nothing(token: Token, before: Token | None, after: Token | None, text: str) -> bool:
    """`Fixou-se`, `não se observa`, `se resolveu`: not the conditional `se`."""
    if token.text not in ("se", "lhe", "lhes") or before is None:
        return False
    is_hung_on = text[token.start - 1] == "-" and before.end == token.start - 1
    is_led = before.text in ("nao", "que", "ja", "quem", "nunca")
    return is_hung_on or is_led or (after is not None and _REFLEXIVE.fullmatch(after.text) is not None)


def _is_title(before: Token | None, mark: Token) -> bool:
    return before is not None and before.end == mark.start and before.text in ("dr", "dra", "sr", "sra")


def _takes_side(before: Token) -> bool:
    return before.text in _BEFORE_A_SIDE or before.text in read_words(FACTS, "body_parts.tsv")


def _row_at(tokens: Sequence[Token], at: int, text: str) -> _Row | None:
    token, table = tokens[at], _table()
    by_accent = _ACCENTED.get(text[token.start : token.end].lower())
    for row in table.rows.get(token.text, ()):
        last = at + len(row.words)
        if last <= len(tokens) and all(tokens[at + n].text == word for n, word in enumerate(row.words)):
            if last == at + 1 and by_accent:
                break
            if last == at + 1 and _is_denied_verb(tokens, at):
                return row._replace(english=("any", *row.english))
            return None if last == at + 1 and _is_symbol(token, tokens, at, text) else row
    english = by_accent or table.verbs.get(base(token.text))
    if english and _is_denied_verb(tokens, at):
        english = ("any", *english)
    return _Row((token.text,), english) if english else None


# Words that without their accent are other words.
_ACCENTED = {"à": ("to",), "às": ("to",), "é": ("is",)}
_ACTIVE = re.compile(r"\w{1,}(?:ou|eu|iu|aram|eram|iram)")


def _is_denied_verb(tokens: Sequence[Token], at: int) -> bool:
    """`Não administrou X` denies what follows; `não administrado`, what the words before it say."""
    return at > 0 and tokens[at - 1].text == "nao" and _ACTIVE.fullmatch(tokens[at].text) is not None


def _is_symbol(token: Token, tokens: Sequence[Token], at: int, text: str) -> bool:
    """`Na 128` is sodium, the `E` of `E. coli` a name."""
    after = text[token.end : token.end + 2]
    raw = text[token.start : token.end]
    return (raw == "Na" and after[1:].isdigit()) or (
        raw in ("E", "O", "A") and after[:1] == "." and at + 1 < len(tokens)
    )


def _with_replacement(tokens: Sequence[Token]) -> list[Token]:
    """`Trocada A por B` is `A replaced by B`."""
    out: list[Token] = []
    waits = 0
    for token in tokens:
        if token.text in _EXCHANGED:
            waits = _MOST_BETWEEN
        elif waits and token.text in ("for", "by"):
            verb = next(i for i in range(len(out) - 1, -1, -1) if out[i].text in _EXCHANGED)
            del out[verb]
            out += [token._replace(text="replaced"), token._replace(text="by")]
            waits = 0
            continue
        waits = 0 if token.text in (".", ";") else max(waits - 1, 0)
        out.append(token)
    return out


_EXCHANGED = word_set("switched replaced")
_MOVES = word_set("transferred switched changed increased decreased improved worsened went replaced")
_MOST_BETWEEN = 10


def _with_from(tokens: Sequence[Token]) -> Iterator[Token]:
    """`Transferido de A para B`: here `de` is from."""
    texts = [token.text for token in tokens]
    for n, token in enumerate(tokens):
        is_source = token.text == "of" and "to" in texts[n + 1 : n + _MOST_BETWEEN] and _MOVES & set(texts[:n])
        yield token._replace(text="from") if is_source else token
