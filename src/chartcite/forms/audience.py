"""An answer for a patient: beside each sentence its plain wording, if the check finds that it says the same.

The quoted sentence stays: it is the citation. A wording that the cited sentences do not bear out is not shown, which is
counted. How hard the text is to read is measured as it is shown and as it is quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from chartcite.cascade.audience.glossary import Language
from chartcite.cascade.audience.llm import Interpreter
from chartcite.cascade.audience.rules import wordings
from chartcite.cascade.inquiry import Inquiry
from chartcite.cascade.tools import Tools
from chartcite.cascade.trace import Trace
from chartcite.core.answer import Answer, AnswerSentence
from chartcite.index.port import SearchIndex
from chartcite.retrieval.candidates import Bookshelf
from chartcite.store.reader import PartitionReader
from chartcite.text.language import detect
from chartcite.text.readability import readability
from chartcite.verification.answers import verify


def for_patient(answer: Answer, reader: PartitionReader, index: SearchIndex, tools: Tools) -> Answer:
    """The answer with plain wordings and its readability."""
    trace = Trace(fallbacks=[dict(f) for f in answer.fallbacks])
    inquiry = Inquiry(reader, index, Bookshelf(reader, index.documents), tools, trace)
    language: Language = "pt" if detect(" ".join(s.text for s in answer.sentences)) == "pt" else "en"
    said = _by_model(answer.sentences, inquiry)
    sentences = tuple(_worded(s, said.get(n), language, trace) for n, s in enumerate(answer.sentences))
    shown = " ".join(_closed(s.plain or s.text) for s in sentences)
    quoted = " ".join(_closed(s.text) for s in sentences)
    figures = {"shown": readability(shown, language).to_dict(), "quoted": readability(quoted, language).to_dict()}
    return replace(
        answer, sentences=sentences, audience="patient", readability=figures, fallbacks=tuple(trace.fallbacks)
    )


def _worded(sentence: AnswerSentence, said: str | None, language: Language, trace: Trace) -> AnswerSentence:
    """With the plainest wording that passes: the model's, else the glossary's."""
    refused = 0
    for wording in _wordings(sentence.text, said, language):
        (checked,) = verify([(wording, sentence.citations)])
        if checked.verified and not checked.vetoes:
            if wording != said and said is not None:
                trace.fallback("plain_wording_by_rules")
            return replace(sentence, plain=wording)
        refused += 1
    if refused:
        trace.fallback("plain_wording_not_borne_out")
    return sentence


def _wordings(text: str, said: str | None, language: Language) -> Iterator[str]:
    if said is not None:
        yield said
    yield from wordings(text, language)


def _by_model(sentences: Sequence[AnswerSentence], inquiry: Inquiry) -> dict[int, str]:
    conversation = inquiry.conversation("plain", "interpreter")
    if conversation is None or not sentences:
        return {}
    if conversation.chat.is_remote:
        inquiry.trace.fallback("evidence_sent_to_another_machine", len(sentences))
    return Interpreter(conversation, inquiry.tools.by_model.examples).reword([s.text for s in sentences])


def _closed(text: str) -> str:
    """With a full stop, so that two sentences are not measured as one."""
    return text if text.rstrip().endswith((".", "!", "?")) else f"{text}."
