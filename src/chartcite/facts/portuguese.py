"""Inflection of Portuguese words: `iniciado`, `iniciada`, `iniciou` have one stem, `início` is of their family.

The endings are such as English words do not have, or have in no two words that differ only there. Words are folded.
"""

from __future__ import annotations

import re
from functools import lru_cache

from chartcite.facts.lexicon import word_set

# Words that are no forms of a verb or an adjective, or English.
_KEEP = word_set(
    "estado estados quando comando commando mundo fundo segundo segunda segundos segundas figado liquido acido acidos "
    "fluido fluidos cada nada lado lados vida vidas museu saida saidas medida medidas crescendo sendo candida candidas "
    "estando canada armada data stigmata strata errata cava lava"
)
_FIRST = re.compile(r"(.{3,})(?:ad[oa]s?|ando|ou|aram|avam?)")
_SECOND = re.compile(r"(.{3,})(?:id[oa]s?|iu|iram|eu|eram|[ei]ndo)")
_NASAL = re.compile(r"(.+[csxzrlpfbvmgniaeu])oes")
_PLURAL = re.compile(r"(.{3,})(?:ais)")
_FEMININE = re.compile(
    r"(.{2,}(?:[oi]s|ic|iv|ent|ari|eir|ern|eit|rit|et|at|ut|rt|ns|en|ud|nu|gud|ost|mid|lid|nd|rtic|ess|ix|ech|olt|ult|"
    r"id[eo]|rm|br|arg|ur|an|olic|tr))(?:a|as|os)"
)
_GENDERED_SHORT = re.compile(r"(.+)(?:a|as)")
_SHORT_ADJECTIVES = word_set(
    "aguda agudas grossa grossas fina finas baixa baixas alta altas longa longas curta curtas rasa nova novas boa seca "
    "secas fria frias limpa limpas suja sujas pequena pequenas plana planas clara claras escura escuras rosea roseas "
    "livre livres esquerda esquerdas direita direitas viva vivas morta mortas viuva solta soltas continua continuas "
    "flacida flacidas media mesma mesmas outra outras primeira terceira quarta quinta sexta setima oitava nona decima"
)


_LAST_LETTERS = "aosum"
"""One of them ends every form that the patterns know."""


@lru_cache(maxsize=16384)
def base(word: str) -> str:
    """The form that stands for all inflections of a word; the word itself when it has no Portuguese ending.

    >>> [base(w) for w in ("iniciada", "iniciou", "perdeu", "lesoes", "direita", "lesions", "lumbar", "fever")]
    ['iniciar', 'iniciar', 'perdido', 'lesao', 'direito', 'lesions', 'lumbar', 'fever']
    """
    if len(word) < 5 or word in _KEEP or not word.isalpha():
        return "alto" if word in ("alta", "altas") else word
    if word[-1] not in _LAST_LETTERS:
        return word
    for pattern, ending in ((_FIRST, "ar"), (_SECOND, "ido"), (_NASAL, "ao")):
        found = pattern.fullmatch(word)
        if found:
            return found[1] + ending
    found = _GENDERED_SHORT.fullmatch(word) if word in _SHORT_ADJECTIVES else _FEMININE.fullmatch(word)
    if found:
        return found[1] + "o"
    found = _PLURAL.fullmatch(word)
    return found[1] + "al" if found else word


_SUFFIXES = (
    "amentos", "imentos", "amento", "imento", "ancia", "encia", "antes", "entes", "ante", "ente", "acao", "icao",
    "ador", "edor", "idor", "avel", "ivel", "oso", "ado", "ido", "cao", "ssao", "sao", "ar", "ir", "al", "or",
    "ico", "ia", "io", "o", "a",
)  # fmt: skip
_SHORTEST = 4
# Roots that unrelated words share.
_FALSE = word_set(
    "part cont port cast cost form pass vent test sent curs cort corp fort medic negat posit tens indic pres prov "
    "clinic critic quart intern extern precis mort mari plan estad rest resp cent cert pont cond dist temp lent comp "
    "segu norm sinal crit just sens simp bast cart coll cata mate para peri para meta para medi cons trat front later "
    "ment fund vari cari seri mult minh noss secund maxim minim ultim proxim anterior posterior"
) - {"trat"}


@lru_cache(maxsize=16384)
def root(word: str) -> str:
    """What a word shares with its derivations (`inici` of `inicio`, `iniciar`); empty when none is safe."""
    form = base(word)
    if len(form) < 5 or not form.isalpha():
        return ""
    if form.endswith("mente") and len(form) > 9:
        form = form.removesuffix("mente")
    suffix = next((s for s in _SUFFIXES if form.endswith(s) and len(form) - len(s) >= _SHORTEST), "")
    found = form[: -len(suffix)] if suffix else ""
    return "" if found in _FALSE else found
