"""One item: a note, a claim about it, and a label that is right by construction.

A claim is drawn, checked against what its source sentences state, and thrown away if anything does not fit: a slot that
no source states, an edit that does not show, a form that does not appear. The caller draws again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.planted_edits.kinds import FORM_PAIRS, FORM_TYPES, NEGATED, WRONG_KINDS
from chartcite.lab.planted_edits.model import Fact, Item, Lang, Said, Source, Split
from chartcite.lab.planted_edits.shapes import Shape, families, shapes
from chartcite.lab.planted_edits.writer import Telling, Writer
from chartcite.lab.planted_edits.wrong import spoil

_VERBATIM, _JOINED, _EXTRA, _NOISE, _ALIKE = 0.45, 0.12, 0.08, 0.25, 0.7
_ABSENCES = ("finding", "findings_list", "disease", "imaging", "pathology", "med_given", "med_use", "cause")
_UNSAFE_FORMS = ("unit", "decimal_shift", "value", "comparator")
_FAMILY_ONLY = frozenset({"relative"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim and what it is about: the facts told, which of their sentences are cited, and more that is cited."""

    claim: str
    family: str
    told: tuple[Telling, ...]
    cited: tuple[Telling, ...]


def draft(kind: str, lang: Lang, split: Split, dice: Dice, name: str) -> Draft | None:
    """A claim of the kind, or None where the draw did not work out."""
    writer = Writer(lang, split, dice, name)
    if kind == "wrong_citation":
        return _miscited(writer)
    if kind == "added_detail":
        return _embroidered(writer)
    if kind in WRONG_KINDS:
        return _spoilt(writer, kind)
    if kind in FORM_PAIRS:
        return _reformed(writer, kind)
    if kind == "two_sentences":
        return _two(writer)
    return _restated(writer, kind)


def finish(made: Draft, kind: str, lang: Lang, split: Split, dice: Dice, name: str, label: str) -> Item:
    """The item: the note around the facts, in drawn order."""
    writer = Writer(lang, split, dice, name)
    writer.persona = dict(made.told[0].fact.persona)
    others = [writer.beside(made.told) for _ in range(dice.between(1, 2))]
    tellings = dice.shuffled([*made.told, *others])
    sources: list[Source] = []
    citations: list[str] = []
    for telling in tellings:
        for said in telling.sentences:
            sources.append(Source(f"{label}.s{len(sources) + 1}", said.text))
            if telling in made.cited:
                citations.append(sources[-1].id)
    return Item(label, split, lang, kind, kind not in WRONG_KINDS, made.claim, tuple(citations), tuple(sources),
                made.family)  # fmt: skip


def _shape(writer: Writer, names: Sequence[str]) -> Shape:
    return shapes()[writer.dice.pick(names)]


def _sentence(writer: Writer, told: Telling, fact: Fact, *sections: str, forms: Mapping[str, str]) -> Said | None:
    template = writer.choose(told.shape.name, fact.variant, *sections)
    return writer.say(template, fact, told.name, forms) if template else None


def _spoilt(writer: Writer, kind: str) -> Draft | None:
    shape = _shape(writer, [name for name, s in shapes().items() if any(e.kind == kind for e in s.edits)])
    edit = writer.dice.pick([e for e in shape.edits if e.kind == kind])
    variant = edit.arguments[0].partition(">")[0] if edit.operation == "variant" else writer.dice.pick(shape.variants)
    told = writer.tell(shape, variant)
    spoilt = spoil(shape, told.fact, edit, writer.bench()) if told else None
    if told is None or spoilt is None:
        return None
    fact, changed = spoilt
    said = _claim(writer, told, fact, _noise(writer, told, changed, kind))
    if said is None or not _shows(writer, told, said, changed, fact):
        return None
    return _cited(writer, told, said, replace(told, fact=fact))


def _claim(writer: Writer, told: Telling, fact: Fact, forms: Mapping[str, str]) -> Said | None:
    """The fact in the words of its own source, or in those of a claim."""
    template = told.templates[0]
    if len(told.templates) == 1 and template.suits(fact.variant) and writer.dice.chance(_VERBATIM):
        return writer.say(template, fact, told.name, forms)
    return _sentence(writer, told, fact, "claim", forms=forms)


def _noise(writer: Writer, told: Telling, changed: frozenset[str], kind: str) -> dict[str, str]:
    """Sometimes another form of a slot that stays true, so that a wrong claim can differ in more than its fault."""
    if not writer.dice.chance(_NOISE) or kind in _UNSAFE_FORMS:
        return {}
    able = [
        (slot, key) for slot in told.shape.slots for key in ("abbr", "synonym", "brand", "words")
        if slot[0] not in changed and key in told.fact.slots[slot[0]].forms
    ]  # fmt: skip
    if not able:
        return {}
    slot, key = writer.dice.pick(able)
    return {slot[0]: key}


def _shows(writer: Writer, told: Telling, said: Said, changed: frozenset[str], fact: Fact) -> bool:
    """Whether the edit is in the claim and concerns what the source states, and the rest of the claim is stated."""
    fresh = _FAMILY_ONLY if "variant" in changed and fact.variant == "family" else frozenset()
    if not changed <= said.used or not changed <= told.used or not said.used - fresh <= told.used:
        return False
    twin = next(t for s in ("evidence", "claim") for t in families(writer.lang, told.shape.name, writer.split, s)
                if t.family == said.family)  # fmt: skip
    return not twin.suits(told.fact.variant) or writer.say(twin, told.fact, told.name).raw != \
        writer.say(twin, fact, told.name).raw  # fmt: skip


def _cited(writer: Writer, told: Telling, said: Said, spoilt: Telling | None = None) -> Draft:
    """The draft, now and then with a second citation, or (of a wrong claim) a second, true claim in the sentence."""
    family = _family(told, said)
    apart = (told, spoilt) if spoilt else (told,)
    if spoilt and ".claim" in said.family and writer.dice.chance(_JOINED):
        other = writer.beside(apart)
        true = _sentence(writer, other, other.fact, "claim", forms={})
        if true is not None and true.used <= other.used:
            pair = [(told, said), (other, true)]
            first, second = pair if writer.dice.chance(0.5) else pair[::-1]
            claim = writer.joined(first[1], second[1])
            return Draft(claim, f"{family}+{_family(other, true)}", (told, other), (told, other))
    if writer.dice.chance(_EXTRA):
        other = writer.beside(apart)
        return Draft(said.text, family, (told, other), (told, other))
    return Draft(said.text, family, (told,), (told,))


def _family(told: Telling, said: Said) -> str:
    return f"{'+'.join(s.family for s in told.sentences)}>{said.family}"


def _true(writer: Writer, *, affirmed: bool = False) -> tuple[Telling, Said] | None:
    """A fact and a true claim of it."""
    shape = _shape(writer, list(shapes()))
    variants = [v for v in shape.variants if not affirmed or v not in NEGATED]
    told = writer.tell(shape, writer.dice.pick(variants))
    said = _claim(writer, told, told.fact, {}) if told else None
    return (told, said) if told and said and said.used <= told.used else None


def _embroidered(writer: Writer) -> Draft | None:
    made = _true(writer, affirmed=True)
    if made is None:
        return None
    told, said = made
    copied = said.family == told.templates[0].family
    if (copied and told.templates[0].ends_open) or told.fact.variant == "tolerated":
        return None  # nothing follows well on an afterthought
    claim = writer.added(said.text, told.shape.name)
    return Draft(claim, _family(told, said), (told,), (told,)) if claim else None


def _miscited(writer: Writer) -> Draft | None:
    made = _true(writer)
    if made is None:
        return None
    told, said = made
    alike = len(told.sentences) == 1 and told.shape.name != "findings_list" and writer.dice.chance(_ALIKE)
    other = writer.beside((told,), alike=alike)
    return Draft(said.text, _family(told, said), (told, other), (other,))


def _restated(writer: Writer, kind: str) -> Draft | None:
    """Paraphrase, part of the facts, voice, negation restated, double negation: another family for the same fact."""
    names = _ABSENCES if kind == "negation_restated" else [n for n in shapes() if _has(writer, n, kind)]
    shape = _shape(writer, names)
    variant = writer.dice.pick([v for v in shape.variants if (v in NEGATED) == (kind == "negation_restated")
                                or kind in ("voice", "double_negation")])  # fmt: skip
    heard, sections = "evidence", ("claim", "claim.restated") if kind == "negation_restated" else ("claim",)
    if kind == "double_negation":
        sections = ("claim.double",)
    elif kind == "voice":
        active = writer.dice.chance(0.5)
        heard, sections = ("evidence.active", ("claim.passive",)) if active else ("evidence.passive", ("claim.active",))
    told = writer.tell(shape, variant, section=heard)
    said = _sentence(writer, told, told.fact, *sections, forms={}) if told else None
    if told is None or said is None or not said.used <= told.used:
        return None
    if kind in ("negation_restated", "double_negation") and "variant" not in said.used:
        return None
    whole = said.used | {"variant"} == told.used | {"variant"}
    if (kind == "paraphrase" and (not whole or ".double" in said.family)) or (kind == "part_of_facts" and whole):
        return None
    return _cited(writer, told, said) if told.shape.head in said.used or kind != "part_of_facts" else None


def _has(writer: Writer, name: str, kind: str) -> bool:
    section = {"voice": "claim.passive", "double_negation": "claim.double"}.get(kind, "claim")
    return bool(families(writer.lang, name, writer.split, section))


def _reformed(writer: Writer, kind: str) -> Draft | None:
    """A slot in another form: in the words of its own source, or in those of a claim."""
    shape = _shape(writer, list(shapes()))
    variant = writer.dice.pick(shape.variants)
    fact = writer.fact(shape, variant)
    types = FORM_TYPES.get(kind)
    able = [
        (slot, pair) for slot, value in fact.slots.items() for pair in FORM_PAIRS[kind]
        if all(key in value.forms for key in pair) and (types is None or value.type in types)
        and value.forms[pair[0]].text != value.forms[pair[1]].text
    ]  # fmt: skip
    if not able:
        return None
    slot, (heard, claimed) = writer.dice.pick(able)
    both = ["first", "second"] if slot in ("first", "second") and kind == "exact_conversion" else [slot]
    if not all(key in fact.slots[s].forms for s in both for key in (heard, claimed)):
        return None  # no sentence has one value in milligrams and the next in micrograms
    told = writer.tell(shape, variant, dict.fromkeys(both, heard), fact=fact)
    said = _claim(writer, told, fact, dict.fromkeys(both, claimed)) if told else None
    if told is None or said is None or slot not in said.used or not said.used <= told.used:
        return None
    return _cited(writer, told, said)


def _two(writer: Writer) -> Draft | None:
    """A claim from two sentences: of one fact that takes two, or of two facts."""
    if writer.dice.chance(0.35):
        shape = _shape(writer, [n for n in shapes() if families(writer.lang, n, writer.split, "second")])
        told = writer.tell(shape, writer.dice.pick(shape.variants))
        said = _sentence(writer, told, told.fact, "claim", forms={}) if told else None
        return Draft(said.text, _family(told, said), (told,), (told,)) if told and said else None
    made = _true(writer)
    if made is None:
        return None
    told, _ = made
    other = writer.beside((told,))
    pair = [(t, _sentence(writer, t, t.fact, "claim", forms={})) for t in (told, other)]
    (one, first), (two, second) = pair
    if first is None or second is None or not first.used <= one.used or not second.used <= two.used:
        return None
    return Draft(writer.joined(first, second), f"{_family(one, first)}+{_family(two, second)}", (one, two), (one, two))
