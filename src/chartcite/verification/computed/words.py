"""The words by which a sentence computes, in English and Portuguese; all are folded (`tokens.fold`)."""

from __future__ import annotations

from chartcite.facts.lexicon import word_set

_CLASSES = {
    "up": (
        "rose risen rise rises rising increased increase increases increasing climbed climb climbs grew grown gained "
        "gain gains up upward higher greater above subiu subiram aumentou aumentaram aumento elevou elevacao cresceu "
        "ganhou ganho subida elevado acrescimo"
    ),
    "down": (
        "fell fallen fall falls falling decreased decrease decreases decreasing dropped drop drops dropping declined "
        "decline declines declining lost loss down downward lower lowered reduced reduction less caiu cairam diminuiu "
        "diminuicao queda reduziu reducao baixou perdeu perda decrescimo"
    ),
    "moved": "went gone goes changed moved change passou mudou variou",
    "same": "unchanged same stable remained stayed inalterado inalterada igual mesmo mesma estavel permaneceu manteve",
    "from": "from de desde",
    "to": "to para a ate reaching reached",
    "than": "than que",
    "low": "lowest minimum nadir smallest least menor minimo minima",
    "high": "highest maximum peak peaked largest greatest maior maximo maxima pico",
    "latest": "latest newest last recent ultimo ultima recente",
    "first": "first earliest initial initially primeiro primeira inicial",
    "mean": "mean average averaged media",
    "counted": (
        "values value results result measurements measurement readings reading determinations days day occasions times "
        "time occasion vez ocasiao valores resultados medidas medicoes dosagens determinacoes dias ocasioes vezes"
    ),
    "start": (
        "begun began begin beginning start started starting initiated initiation commenced iniciada iniciado iniciou "
        "iniciaram inicio comecou comecada introduzida introduzido introduziu"
    ),
    "stop": (
        "ended end stopped stop stopping discontinued discontinuation ceased interrompida interrompido interrompeu "
        "terminou terminada terminado fim termino parou parada descontinuada descontinuado interrupcao "
        "encerrada encerrado"
    ),
    "suspend": "suspensa suspenso suspendeu suspensao",
    "hold": "held hold withheld paused pausada pausado",
    "resume": "resumed resume restarted restart retomada retomado reiniciada reiniciado reintroduzida reintroduzido",
    "before": "before preceded precedes earlier antes precedeu prior",
    "after": "after followed follows later depois apos seguiu subsequently",
}  # fmt: skip
CLASSES = {word: name for name, words in _CLASSES.items() for word in words.split()}
"""The class of a word that stands for itself."""

NOUNS_OF_CHANGE = word_set(
    "rise increase gain climb fall drop decline decrease loss reduction change difference aumento elevacao queda perda "
    "reducao diminuicao ganho variacao diferenca subida acrescimo decrescimo"
)
BY = word_set("by por em")
OF = word_set("of de")
HEDGES = {
    "nearly": "~<", "almost": "~<", "quase": "~<", "about": "~", "approximately": "~", "roughly": "~", "around": "~",
    "cerca": "~", "aproximadamente": "~", "more": ">", "over": ">", "mais": ">",
}  # fmt: skip
"""What stands before a factor."""
FACTORS = {
    "doubled": 2, "tripled": 3, "quadrupled": 4, "halved": -2, "doubling": 2, "halving": -2, "dobrou": 2,
    "duplicou": 2, "triplicou": 3, "dobro": 2, "triplo": 3,
}  # fmt: skip
"""How many times as much; negative: the part of it."""
PREPOSITIONS = word_set("on in at em de no na dated of")
"""What may stand between a number and its day."""
ARTICLES = word_set("a an the another further only just um uma o mais")
MORE = word_set("higher lower more less greater")
SINCE = word_set("since desde")
BETWEEN = word_set("between from entre de desde")
WITHIN = word_set("in during within em durante")
JOINS = word_set("and to e a ate through until")
CONJUNCTIONS = word_set("and while whereas but e enquanto mas")
SIDES = {"above": ">", "below": "<", "acima": ">", "abaixo": "<", "more": ">", "less": "<"}
LIMITS = word_set("exceeded exceeding exceeds ultrapassou excedeu")
NOT = word_set("not nao didn't no sem without did se houve ha there was")
CHANGED = word_set("change changed alterou mudou alteracao mudanca variou variacao")
RANGED = word_set("ranged ranging range variou variaram oscilou")
COUNT_ADJECTIVES = word_set("different separate cited recorded such distinct diferentes distintos distintas")
SUPERLATIVES = {"alto": "high", "alta": "high", "elevado": "high", "elevada": "high", "baixo": "low", "baixa": "low"}
"""Behind `mais`."""
