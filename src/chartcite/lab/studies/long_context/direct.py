"""Answers by the writer's model alone, shown a context and a question with no example, as in paper 000 (appendix C.3).

Nothing such an answer says is verified, and it cites nothing: it is a figure to compare with, made in the lab only, and
`ask` never comes here. That holds most of all for `exclude_all`, where the model is shown no note: what it gets right
then it did not read. Everywhere else of chartcite no evidence means no answer.
"""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, field

from chartcite.core.chat import ChatModel, ChatRequest, Message
from chartcite.core.errors import EndpointFailed
from chartcite.lab.cases import Case
from chartcite.lab.choices import letter
from chartcite.lab.studies.long_context.contexts import Count, Shown, fitting, written
from chartcite.lab.studies.long_context.options import Options
from chartcite.lab.studies.long_context.prompts import prompt
from chartcite.lab.studies.long_context.tables import AnsweredRow, System
from chartcite.library.book import Book
from chartcite.library.calls.account import Account
from chartcite.library.chats import unlimited
from chartcite.models.thoughts import without_thoughts

_MARGIN = 0.1
"""Of the window, left free: the model's tokenizer is not the one that counts."""
_LETTER = re.compile(
    r"\b(?P<alone>[A-Z])\b(?=\s*(?:[.):,;*]|$|or\b|and\b))"  # not the article of "A stroke"
    r"|\b(?i:option|answer)(?i:\s+is)?:?\s+\(?(?P<named>[A-Z])\b"
)
_NONE = re.compile(r"\W*none\W*", re.IGNORECASE)
_NO_NOTES = "(no notes)"


@dataclass(frozen=True, slots=True)
class Direct:
    """One model and how it is asked."""

    chat: ChatModel
    count: Count
    method: str
    options: Options
    account: Account = field(default_factory=Account)

    def answer(self, system: System, case: Case, shown: Shown) -> AnsweredRow:
        """One reply; a reply of no use, and an endpoint that fails, is no answer."""
        asked = self._asked(system.form, case)
        room = int(self.chat.context_tokens * (1 - _MARGIN)) - self.options.answer_tokens
        room -= sum(self.count(text) for text in (prompt(f"{system.form}-1"), asked))
        fitted = fitting(shown, max(0, room), self.method, self.count)
        try:
            reply = self.chat.chat(self._request(system.form, fitted, asked))
        except EndpointFailed as error:
            return AnsweredRow(*system, case.id, "", "", True, f"{error.kind}: {error}", fitted.cut, 1)
        said = without_thoughts(reply.text).strip()
        text, choice, reason = _read(system.form, said, case)
        if not said and reply.finish == "length":
            reason = "the reply ended before an answer: more think or answer tokens"
        told = (*reply.notes, *self.account.take_notes(), *(["passages_had_no_room"] if fitted.cut else []))
        notes = tuple(dict.fromkeys(told))
        return AnsweredRow(
            *system, case.id, text, choice, bool(reason), reason, fitted.cut, 1, reply.prompt_tokens, notes,
        )  # fmt: skip

    def _asked(self, form: str, case: Case) -> str:
        options = "".join(f"{letter(n)}. {text}\n" for n, text in enumerate(case.choices))
        return f"Question: {case.question}\n{options if form == 'choice' else ''}"

    def _request(self, form: str, shown: Shown, asked: str) -> ChatRequest:
        record = "\n".join(map(written, shown.passages)) or _NO_NOTES
        fence = hashlib.sha256(record.encode()).hexdigest()[:8]
        body = f"<record-{fence}>\n{record}\n</record-{fence}>\n\n{asked}"
        return ChatRequest(
            (Message("system", prompt(f"{form}-1")), Message("user", body)), self.options.answer_tokens,
            temperature=1.0 if self.options.reasoning else 0.0, stage="direct",
        )  # fmt: skip


def open_direct(book: Book, count: Count, options: Options) -> Direct | None:
    """The writer's model of a book's settings; None where they name none."""
    models = unlimited(book.engines, book.settings)
    if models.writer is None:
        return None
    return Direct(models.writer, count, book.settings.method, options, models.account)


def _read(form: str, said: str, case: Case) -> tuple[str, str, str]:
    """Text, letter, and why there is no answer."""
    if not said:
        return "", "", "an empty reply"
    match form:
        case "choice":
            chosen = letter_in(said, case.choices)
            text = case.choices[string.ascii_uppercase.index(chosen)] if chosen else ""
            return text, chosen, "" if chosen else "the reply names no option, or several"
        case "span":
            return ("", "", "none") if _NONE.fullmatch(said) else (said.strip("\"'`"), "", "")
        case _:
            return said, "", ""


def letter_in(said: str, choices: Sequence[str]) -> str:
    """The option that a reply names: by a letter that stands alone, or in its own words; empty if none or several.

    >>> letter_in("The answer is B.", ["x", "y"]), letter_in("A or B", ["x", "y"]), letter_in("y", ["x", "y"])
    ('B', '', 'B')
    """
    known = string.ascii_uppercase[: len(choices)]
    if len(said.strip()) == 1 and said.strip() in known.lower():
        return said.strip().upper()
    named = {found["alone"] or found["named"] for found in _LETTER.finditer(said)} & set(known)
    own = {known[n] for n, text in enumerate(choices) if text.strip().lower() == said.strip().rstrip(".").lower()}
    found = own or named
    return found.pop() if len(found) == 1 else ""
