"""One patient's folder while it is filled: authors, finished notes, and what may be copied forward."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from chartcite.lab.longchart.dice import Dice
from chartcite.lab.longchart.facts.model import Encounter, Life
from chartcite.lab.longchart.lexicon import load
from chartcite.lab.longchart.notes.grammar import Phrasebook
from chartcite.lab.longchart.notes.paper import Block, Draft, Note, Sent
from chartcite.lab.longchart.notes.scribe import Scribe
from chartcite.lab.longchart.notes.voice import Voice, words


@dataclass(slots=True)
class Desk:
    """The folder. `told`: how often each fact was written; `kept`: last block of a section, by clinic and section."""

    life: Life
    seed: int
    dice: Dice
    book: Phrasebook
    mask: str
    notes: list[Note] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)
    kept: dict[str, tuple[str, Block]] = field(default_factory=dict)
    last_visit: dict[str, datetime] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, life: Life, seed: int) -> Desk:
        """An empty folder for a life."""
        pid = life.person.patient_id
        dice = Dice(seed, pid, "desk")
        book = Phrasebook(life.person.lang, life.person.split, Dice(seed, pid, "book"))
        return cls(life, seed, dice, book, dice.pick(["", "", "brackets", "blank"]))

    def open(self, kind: str, at: datetime, author: str, encounter: Encounter) -> Pen:
        """A blank sheet."""
        voice = Voice.of(self.life.person.lang, author, self.mask, self.seed)
        return Pen(self, kind, at, author, encounter, Scribe(self.life, self.book, voice, at, self.dice), Draft())

    def nurse(self) -> str:
        """Whoever is on duty."""
        return str(self.dice.pick(load("people.toml")[self.life.person.lang]["nurses"]))

    def doc_id(self, kind: str, at: datetime) -> str:
        """A fresh name that follows the folder convention."""
        pid = self.life.person.patient_id
        stem = f"{at:%Y-%m-%d_%H%M}_{kind}"
        number = 1
        while (name := f"{pid}/{stem}{'' if number == 1 else f'_{number}'}.txt") in self._names:
            number += 1
        self._names.add(name)
        return name


@dataclass(slots=True)
class Pen:
    """A sheet with its author; `close` files it."""

    desk: Desk
    kind: str
    at: datetime
    author: str
    encounter: Encounter
    say: Scribe
    draft: Draft
    kept: dict[str, Block] = field(default_factory=dict)

    @property
    def dice(self) -> Dice:
        """The folder's chance."""
        return self.desk.dice

    def head(self, key: str) -> None:
        """A section header."""
        self.draft.blocks.append(Block("header", (Sent(self.say.voice.header(key)),)))

    def flow(self, sents: list[Sent], keep: str = "") -> None:
        """A paragraph."""
        self._add(Block("flow", tuple(sents)), keep)

    def lines(self, sents: list[Sent], bullet: str = "", keep: str = "") -> None:
        """Sentences under each other."""
        self._add(Block("lines", tuple(sents), bullet), keep)

    def raw(self, *texts: str) -> None:
        """Lines that state no fact."""
        self._add(Block("lines", tuple(Sent(t) for t in texts)), "")

    def _add(self, block: Block, keep: str) -> None:
        if not block.sents:
            return
        self.draft.blocks.append(block)
        for sent in block.sents:
            for mark in sent.marks:
                self.desk.told[mark.fact_id] = self.desk.told.get(mark.fact_id, 0) + 1
        if keep:
            self.kept[keep] = block

    def paste(self, keep: str) -> bool:
        """Copy the last block of that name forward; sometimes one line is changed. False if there is none."""
        if keep not in self.desk.kept:
            return False
        doc_id, block = self.desk.kept[keep]
        copied = block.pasted(doc_id)
        if len(copied.sents) > 2 and self.dice.chance(0.3):
            drop = self.dice.between(0, len(copied.sents) - 1)
            copied = Block(copied.kind, tuple(s for i, s in enumerate(copied.sents) if i != drop), copied.bullet)
        self._add(copied, keep)
        return True

    def title(self, key: str, clinic: str = "") -> None:
        """The first lines of a note: what it is, of whom, when, by whom."""
        say, person = self.say, self.desk.life.person
        table = words(person.lang)
        name = say.voice.masked("patient", person.name)
        place = say.voice.masked("hospital", person.hospital)
        title = str(self.dice.pick(table["titles"][key]))
        shown = table["clinics"].get(clinic, clinic.title())
        first = f"{title} - {shown}" if clinic else title
        number = f"{table['record_number']} {int(person.born.strftime('%y%j')) * 37 % 899999 + 100000}"
        when = f"{say.day(self.at)} {self.at:%H:%M}"
        forms = (
            [first.upper(), f"{place}    {number}", f"{name}    {table['born']} {say.day(person.born)}    {when}"],
            [f"{first} | {when} | {number}"],
            [first, f"{table['patient']}: {name} ({number})", f"{table['date']}: {when}"],
            [f"{first}, {when}", place],
            [f"*** {first} ***", f"{name} / {number} / {when}"],
        )
        self.raw(*forms[say.voice.house])

    def sign(self) -> None:
        """The last line."""
        table = words(self.say.lang)
        shown = self.author if any(c in self.author for c in ".,") else self.say.doctor(self.author)
        if self.say.voice.mask and shown == self.author:
            shown = self.say.voice.masked("doctor", self.author)
        self.raw(f"{self.dice.pick(table['signed'])} {shown}{self.dice.pick(['', f', {self.at:%H:%M}', ''])}")

    def close(self) -> Note:
        """Lay it out and file it."""
        self.draft.width = self.say.voice.width
        self.draft.inline_headers = self.say.voice.house == 3
        doc_id = self.desk.doc_id(words(self.say.lang)["note_types"][self.kind], self.at)
        text, mentions = self.draft.layout(doc_id)
        person = self.desk.life.person
        note = Note(
            doc_id,
            person.patient_id,
            self.encounter.key,
            self.at,
            self.kind,
            self.author,
            self.kind.replace("-", " ").capitalize(),
            person.lang,
            text,
            mentions,
        )
        self.desk.notes.append(note)
        for keep, block in self.kept.items():
            self.desk.kept[keep] = (doc_id, block)
        return note
