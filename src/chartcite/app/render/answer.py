"""An answer for people: the sentences, what the check said of each, the citations, and what was searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from rich.text import Text

from chartcite.app.render.layout import GLUE, Paper
from chartcite.app.render.references import first_numbers, identifiers, reference, side
from chartcite.app.render.safe import one_line
from chartcite.app.words import ENGLISH, Words
from chartcite.core.answer import Answer, AnswerSentence, Citation, Identity, Reason, Searched, identity, is_unsure
from chartcite.core.copies import AlsoIn
from chartcite.core.presence import Presence
from chartcite.core.scope import Scope

MOST_OTHERWISE = 3
NOTICE = "Research use; not a medical device."

_REASONS: dict[Reason, str] = {
    "empty_record": "There is nothing in this {place} to answer from.",
    "not_mentioned": "The {place} nowhere has the words asked for: {words}.",
    "weak_evidence": "The {place} touches on this, but no sentence answers the question clearly enough.",
    "nothing_then": "The {place} has nothing of it for the time asked about.",
    "not_verified": "Sentences about this were found, but none of them passed the check against its source.",
}
# What the reader must know of how the answer came about, and what only explains it.
_CAUTIONS = {
    "only_relatives_history": "The {place} says this of relatives only, not of the patient.",
    "outside_the_period": "Nothing from the time asked about answers this; what is shown is from another time.",
    "time_range_not_applied": "The time limit in the question was not applied: look at the dates.",
    "other_questions_not_answered": "Only one question was answered; ask the others one by one.",
    "undated_among_them": "Some of the notes have no date, so what is latest or first cannot be told for certain.",
    "number_beyond_without_a_day": "Some notes have a number beyond it that has no day or was not understood.",
    "later_mention_without_a_day": "A later note has another number for it, without its day; it may be the latest one.",
    "lenient_evidence": "No sentence answers this for certain; these are probably relevant.",
    "first_three_sentences": "No sentence answers this for certain; these are the nearest.",
    "plain_wording_not_borne_out": "{sentences} could not be said in plain words without changing what is said.",
    "time_of_the_event_not_applied": "The question ties the time to an event; what is of that time is not known.",
    "event_dated": "The question names an event; its day was found in the record by rules.",
    "chosen_by_absence": "Chosen because no other option is borne out, not because a sentence says so.",
    "chosen_by_exclusion": "Chosen because all other options are borne out, not because a sentence says so.",
    "chooser_not_borne_out": "The model's choice is not borne out by its sources; the rules chose.",
    "judge_does_not_agree": "The judge does not find {sentences} in the sources.",
    "several_values_of_one_day": "The {place} has several values of one day; all of them are shown.",
    "values_of_the_day_itself": "There are values of the day itself too; nothing tells on which side of the event.",
    "units_were_converted": "The values are in different units; they were compared after conversion.",
    "units_cannot_be_compared": "The units differ and cannot be converted, so the values are not compared.",
    "counted_as_the_record_has_it": "Counted as the {place} has it: what it does not tell was not counted.",
    "correction_found": "A later correction is among the sentences.",
    "dropped_not_verified": "{sentences} did not pass the check against the source and {were} left out.",
    "quotes_an_order": "{sentences} quoted here read like orders to a model; nothing was concluded from them.",
    "prompt_was_cut_by_server": "The server cut the prompt: the model did not see all of it. Enlarge its context.",
    "cites_unsure_ocr": "A cited word could hardly be read in its image: compare it with the page before use.",
    "cites_ocr": "What is shown was read from an image by OCR, which mistakes figures: compare it with the page.",
    "cut_to_word_limit": "The answer was cut to its word limit; the citation has the whole sentence.",
}
_REMARKS = {
    "indexed_as_english": "The {place} was indexed as English; who runs chartcite can prepare it for Portuguese as "
    "well (`chartcite index`).",
    "asked_in_another_language": "The {place} is in another language and no encoder knows both: words were looked up "
    "in a list, and more may be there.",
    "encoder_of_another_language": "The encoder does not know the language of the {place}; its scores count less.",
    "query_cut": "The encoder did not read the end of the question ({count} tokens); BM25 did.",
    "answer_is_incomplete": "NOT ALL OF IT: {sentences} more belong to the answer; --set answer_words=300 shows them.",
    "medicines_without_a_dose": "{count} more are on the newest list without a dose and are not shown here.",
    "medicines_not_spoken_of_lately": "{count} more were last spoken of long before that day and are not listed: "
    "chartcite timeline shows them.",
    "medicines_named_once_after_a_stop": "{count} more were stopped and are named once since, without a word that "
    "they were begun again: they are not shown as taken.",
    "medicines_beside_an_ended_one": "{count} more are written in one sentence with a medicine that was ended and are "
    "not shown here: look at the notes.",
    "left_out_for_word_limit": "{sentences} more did not fit the word limit.",
    "no_token_vectors": "The encoder has no token vectors, so late interaction was not used.",
    "read_whole_record": "The {place} is short, so all of it was read.",
    "answered_by_rules": "The model gave nothing that its sources bear out; the answer quotes the {place} instead.",
    "sentence_shown_whole": "No shorter part of the sentence was found to be the answer.",
    "chosen_by_rules": "The model chose none of the options; the rules chose.",
    "plain_wording_by_rules": "{sentences} of the model changed what is said; the glossary's words are shown.",
    "judge_endpoint_failed": "The judge's endpoint did not answer.",
    "judge_calibration_is_of_another": "The judge's record is of another model or prompt: it stays uncalibrated.",
    "judge_gave_no_verdict": "The judge gave no verdict on {sentences}.",
    "writer_endpoint_failed": "The model's endpoint did not answer.",
    "writer_reply_unreadable": "The model's reply could not be read.",
    "writer_reply_cut_off": "The model's reply was cut off.",
    "writer_gave_no_sentence": "The model gave no sentence.",
    "writer_named_unknown_sources": "The model named sources that were not given ({count}).",
    "writer_named_no_source": "{sentences} of the model named no source and {were} left out.",
    "citations_without_use": "The model named {count} sources that do not bear on their sentences; they were left out.",
    "writer_wrote_markup": "{sentences} of the model held links, tags or hidden marks and {were} left out.",
    "writer_saw_less_evidence": "{sentences} of the evidence did not fit the model's context.",
    "writer_corrected": "{sentences} did not pass at first and {were} written again.",
    "writer_not_corrected": "{sentences} did not pass and {were} left out; nothing came in place.",
    "writer_had_no_room_to_correct": "The model's context had no room for a correction.",
    "llm_budget_used_up": "The question may ask models no more (calls, tokens or time).",
    "another_model_answered": "The endpoint says that another model than the one asked for answered.",
    "asked_without_schema": "The model's server holds it to no schema; what it wrote was read as it came.",
    "asked_again_without_stream": "The model was asked again without a stream, which its server gives not or badly.",
    "model_only_thought": "The model thought and gave no reply; it may need more writer_think_tokens.",
    "replies_not_kept": "The model's replies could not be kept in the store.",
    "evidence_sent_to_another_machine": "{sentences} of evidence went to a model on another machine.",
    "over_token_budget": "{passages} {were} left out for the token budget.",
    "not_cross_encoded": "{sentences} beyond the best 32 got the quick score only.",
}


def answer_lines(answer: Answer, paper: Paper) -> Iterator[Text]:
    """The whole page, wrapped to the paper's width."""
    yield from _question(answer, paper)
    yield Text()
    if answer.presence is not None:
        yield from paper.hanging(
            "", Text(one_line(answer.presence.wording(paper.words.lang).statement), "bold"), indent=2
        )
        yield from _presence_remarks(answer.presence, paper)
    if answer.abstained and (answer.presence is None or answer.reason != "not_mentioned"):
        yield from _abstention(answer, paper)
    elif answer.sentences:
        yield from _sentences(answer, paper)
        yield Text()
        yield from _citations(answer, paper)
    yield Text()
    yield from _rest(answer, paper)


def timing_line(timings_ms: Mapping[str, float], paper: Paper) -> list[Text]:
    """How long each stage took."""
    stages = ", ".join(f"{name} {ms:,.0f}" for name, ms in timings_ms.items())
    return paper.hanging(paper.words("Milliseconds: "), Text(stages, "dim"))


def _question(answer: Answer, paper: Paper) -> Iterator[Text]:
    yield from paper.hanging("", Text(one_line(answer.question) or one_line(answer.query), "bold"))
    yield from paper.hanging("", Text(scope_line(answer, paper), "dim"))


def scope_line(answer: Told, paper: Paper) -> str:
    """Whose record, or which collection, and as of when."""
    where = f"{paper.words(answer.scope.kind)} {one_line(answer.scope.name)}"
    as_of = paper.words("as of {day}", day=answer.as_of) if answer.as_of else ""
    return f" {paper.glyphs.dot} ".join(part for part in (where, as_of) if part)


def _presence_remarks(presence: Presence, paper: Paper) -> Iterator[Text]:
    for remark in presence.wording(paper.words.lang).remarks:
        yield from paper.hanging("", Text(one_line(remark), "dim"), indent=4)


def _sentences(answer: Answer, paper: Paper) -> Iterator[Text]:
    numbers = {identity(c): n for n, c in enumerate(answer.citations, start=1)}
    for sentence in answer.sentences:
        body = _numbered(sentence, numbers)
        if sentence.plain:
            yield from paper.hanging("", Text(one_line(sentence.plain), "bold"), indent=2)
        yield from paper.hanging("", body, indent=2)
        yield from paper.hanging(*_mark(sentence, paper), indent=4)
        if sentence.judged and sentence.judged["verdict"] != "supported":
            yield from paper.hanging(
                Text(f"{paper.glyphs.bad} ", "yellow"),
                Text(doubt_said(sentence.judged, paper.words), "yellow"),
                indent=4,
            )


def _numbered(sentence: AnswerSentence, numbers: Mapping[Identity, int]) -> Text:
    """The sentence with each number right behind what its citation bears out."""
    body = Text()
    for piece, own in sentence.pieces(numbers):
        space = " " if body and piece[:1].isspace() else ""
        body += Text(space + one_line(piece)) + Text(GLUE + "".join(f"[{n}]" for n in own) if own else "", "cyan")
    return body


def _mark(sentence: AnswerSentence, paper: Paper) -> tuple[Text, Text]:
    glyph, colour = (paper.glyphs.good, "green") if sentence.verified else (paper.glyphs.bad, "red")
    return Text(f"{glyph} ", colour), Text(check_said(sentence, paper.words), colour)


def check_said(sentence: AnswerSentence, words: Words = ENGLISH) -> str:
    """What the check says of a sentence, with the reason where it does not hold."""
    is_one = len(sentence.citations) == 1
    if sentence.verified:
        return words("matches the cited sentence" if is_one else "matches the cited sentences")
    if sentence.verdict == "contradicted":
        said = words("the cited sentence says otherwise" if is_one else "the cited sentences say otherwise")
    elif sentence.citations:
        said = words("not borne out by the cited sentence" if is_one else "not borne out by the cited sentences")
    else:
        said = words("cites nothing")
    why = "; ".join(_vetoes(sentence.vetoes, words)) or one_line(words.told(sentence.why))
    return said + (f" ({why})" if why else "")


def doubt_said(judged: Mapping[str, Any], words: Words = ENGLISH) -> str:
    """What a judge says of a sentence that it does not find in the sources, and what its word is worth."""
    said = words("the judge gave no verdict")
    if judged["conclusive"]:
        said = words("the judge says {verdict}", verdict=words(str(judged["verdict"])))
    why = one_line(words.told(str(judged["reason"])))
    return f"{said}{f' ({why})' if why else ''}; {_worth(judged.get('calibration'), words)}"


def _worth(record: Mapping[str, Any] | None, words: Words) -> str:
    if not record:
        return words("uncalibrated")
    true, false = record["sensitivity"], record["specificity"]
    return words(
        "of {true} true claims it supports {right}, of {false} false ones {wrong}",
        true=words.number(true["n"]), right=f"{true['value']:.0%}", false=words.number(false["n"]),
        wrong=f"{1 - false['value']:.0%}",
    )  # fmt: skip


def _vetoes(vetoes: Sequence[Mapping[str, Any]], words: Words) -> list[str]:
    said = (f"{words(str(v.get('kind', 'veto')))}: {words.told(str(v.get('why', '')))}".rstrip(": ") for v in vetoes)
    return list(dict.fromkeys(map(one_line, said)))


def _citations(answer: Answer, paper: Paper) -> Iterator[Text]:
    citations = answer.citations
    firsts = first_numbers(citations) if answer.scope.kind == "collection" else {}
    wide = len(f"[{len(citations)}] ")
    for n, citation in enumerate(citations, start=1):
        if n > 1:
            yield Text()
        head, origin = headings(citation, answer.scope, firsts.get(citation.doc_id, n), n, paper)
        yield from paper.hanging(Text(f"[{n}] ".rjust(wide), "cyan"), Text(head), indent=0)
        if origin:
            yield from paper.hanging("", Text(origin, "dim"), indent=wide)
        yield from _quote(citation.quote, paper, wide)
        for detail, is_caution in details(citation, answer.scope, paper):
            yield from paper.hanging("", Text(detail, "yellow" if is_caution else "dim"), indent=wide)


def headings(citation: Citation, scope: Scope, first: int, n: int, paper: Paper) -> tuple[str, str]:
    """What a citation is of, and where in it: a note with its date, or a reference.

    Args:
        citation: number `n` of the answer.
        scope: a patient's notes are named otherwise than literature.
        first: number of the document's first citation.
        n: its own number.
        paper: signs and language.
    """
    if scope.kind == "patient":
        return source_line(citation, paper), _origin(citation, paper)
    return _literature(citation, first, n, paper)


def details(citation: Citation, scope: Scope, paper: Paper) -> Iterator[tuple[str, bool]]:
    """What else there is to say of a citation (columns, OCR, copies), and whether it is a caution."""
    words = paper.words
    if citation.head:
        named = f" {paper.glyphs.dot} ".join(f"{one_line(a)}: {one_line(b)}" for a, b in citation.head.columns)
        yield words("columns: {named}", named=named or one_line(citation.head.quote)), False
    if citation.ocr_confidence is not None:
        share = f"{words.number(round(100 * citation.ocr_confidence))} %"
        said = words("read from an image by OCR, its least sure word at {share}", share=share)
        yield said, is_unsure(citation)
    if citation.also_in:
        yield _copies(citation, citation.also_in, words), False
    elif citation.same_text:
        kind = "more note" if scope.kind == "patient" else "more document"
        yield words("same text in {copies}", copies=words.plural(citation.same_text, kind)), False


def _copies(citation: Citation, also: AlsoIn, words: Words) -> str:
    """`first written 2021-03-02, also in 5 more notes, last 2022-04-01`."""
    own = (citation.time or "")[:10]
    said = words("same text in {copies}", copies=words.plural(also.count, "more note"))
    if also.first.day and also.first.doc_id != citation.doc_id and also.first.day != own:
        said = words("first written {day}", day=also.first.day) + ", " + said
    if also.latest.day and also.latest.doc_id != citation.doc_id and also.latest.day not in (own, also.first.day):
        said += ", " + words("last {day}", day=also.latest.day)
    return said


def _literature(citation: Citation, first: int, n: int, paper: Paper) -> tuple[str, str]:
    """The reference, and where it stands; of a document that was cited before, its number."""
    dot = f" {paper.glyphs.dot} "
    page = page_of(citation.page, paper.words)
    section = " > ".join(_below_title(citation))
    if first != n:
        return dot.join(part for part in (paper.words("As [{first}]", first=first), page) if part), section
    said = reference(citation.title or citation.doc_id, citation.bibliography, citation.time)
    head = dot.join(part for part in (said, *identifiers(citation.bibliography), page) if part)
    return head, dot.join(part for part in (one_line(citation.doc_id), section) if part)


def _below_title(citation: Citation) -> list[str]:
    """The section without the title, under which all of an article stands."""
    section = [one_line(part) for part in citation.section]
    return section[1:] if section and one_line(citation.title).startswith(section[0]) else section


def source_line(citation: Citation, paper: Paper, undated: str = "undated") -> str:
    """Title, note type, date and page of a citation."""
    title, kind = one_line(citation.title), one_line(citation.note_type)
    name = title or kind or one_line(citation.doc_id)
    if kind and kind.casefold() != name.casefold():
        name += f" ({kind})"
    page = page_of(citation.page, paper.words)
    date = day(citation.time) if citation.time else paper.words(undated)
    return f" {paper.glyphs.dot} ".join(part for part in (name, date, page) if part)


def page_of(page: int | None, words: Words) -> str:
    """`page 2`; empty where there are no pages."""
    return words("page {page}", page=page) if page is not None else ""


def day(time: str) -> str:
    """A date, with the minute where the source has it.

    >>> day("2019-03-02T08:15:00+02:00"), day("2021-03")
    ('2019-03-02 08:15', '2021-03')
    """
    return one_line(time[:16].replace("T", " "))


def _origin(citation: Citation, paper: Paper) -> str:
    section = " > ".join(one_line(part) for part in citation.section)
    return one_line(citation.doc_id) + (f" {paper.glyphs.dot} {section}" if section else "")


def _quote(quote: str, paper: Paper, indent: int) -> Iterator[Text]:
    bar = Text(f"{paper.glyphs.bar} ", "cyan")
    lines = paper.hanging(" " * len(bar.plain), Text(one_line(quote), "italic"), indent)
    for line in lines:
        yield Text(" " * indent) + bar + line[indent + len(bar.plain) :]


def _abstention(answer: Answer, paper: Paper) -> Iterator[Text]:
    words, terms, missing = paper.words, answer.searched.terms, answer.searched.missing
    yield from paper.hanging("", Text(abstained_sentence(answer, words)), indent=2)
    if answer.reason == "nothing_then":
        for evidence in answer.evidence:
            yield from paper.hanging(f"{evidence.sort_key[:10]}: ", Text(one_line(evidence.quote), "italic"), indent=4)
    elif terms and answer.reason not in ("empty_record", "not_mentioned"):
        yield from paper.hanging(words("looked for: "), Text(_words(terms)), indent=4)
        if missing:
            nowhere = words("nowhere in this {place}: ", place=_place(answer, words))
            yield from paper.hanging(nowhere, Text(_words(missing)), indent=4)


def abstained_sentence(answer: Answer, words: Words = ENGLISH) -> str:
    """That there is no answer, and why."""
    if answer.presence is not None and answer.reason == "not_mentioned":
        return one_line(answer.presence.wording(words.lang).statement)
    place, terms, missing = _place(answer, words), answer.searched.terms, answer.searched.missing
    said = words("The {place} holds no answer.", place=place)
    if answer.reason:
        said = words(_REASONS[answer.reason], place=place, words=_words(missing or terms) or words("none"))
    return f"{words('No answer.')} {_sentence(said)}"


def _sentence(said: str) -> str:
    """With a capital: a translation may begin with the place."""
    return said[:1].upper() + said[1:]


def _words(terms: Sequence[str]) -> str:
    return ", ".join(one_line(term) for term in terms)


def _rest(answer: Answer, paper: Paper) -> Iterator[Text]:
    if answer.conflicts and answer.scope.kind == "collection":
        yield from conflict_lines(answer, paper)
    elif answer.conflicts:
        yield from _otherwise(answer.conflicts, paper)
    for caution in _fallbacks(answer, _CAUTIONS, paper.words):
        yield from paper.hanging("", Text(caution, "yellow"))
    yield from paper.hanging("", Text(searched_sentence(answer.searched, paper.words)))
    if answer.sources and answer.sentences:
        yield from paper.hanging("", Text(sources_sentence(answer, paper.words), "dim"))
    if answer.readability and (figures := readability_said(answer.readability, paper.words)):
        yield from paper.hanging("", Text(figures, "dim"))
    for remark in _fallbacks(answer, _REMARKS, paper.words):
        yield from paper.hanging("", Text(remark, "dim"))
    yield from paper.hanging("", Text(paper.words(NOTICE), "dim"))


def readability_said(figures: Mapping[str, Any], words: Words) -> str:
    """How easy the text is to read, as shown and as quoted; empty where it is too short to say."""
    shown, quoted = figures["shown"], figures["quoted"]
    if shown["reading_ease"] is None or quoted["reading_ease"] is None:
        return ""
    said = words(
        "Reading ease {ease} (higher is easier; the quotes: {quotes})",
        ease=f"{shown['reading_ease']:.0f}", quotes=f"{quoted['reading_ease']:.0f}",
    )  # fmt: skip
    return said + (
        words(", school grade {grade}.", grade=f"{shown['grade']:.1f}") if shown["grade"] is not None else "."
    )


def _otherwise(conflicts: Sequence[Mapping[str, Any]], paper: Paper) -> Iterator[Text]:
    """The sentences of a record that may say otherwise, each with its day and note."""
    sentences = paper.words.plural(len(conflicts), "sentence")
    if len(conflicts) <= MOST_OTHERWISE:
        said = paper.words("{sentences} of the record may say otherwise:", sentences=sentences)
    else:
        said = paper.words("{sentences} of the record may say otherwise; --json has all of them:", sentences=sentences)
    yield from paper.hanging("", Text(said, "yellow"))
    for row in conflicts[:MOST_OTHERWISE]:
        where = (str(row.get("note_type") or row.get("title") or row["doc_id"]), str(row.get("time") or "")[:10])
        source = " · ".join(one_line(part) for part in where if part)
        yield from paper.hanging("", Text(f"{source}: {one_line(str(row['quote']))}"), indent=2)


def conflict_lines(answer: Answer, paper: Paper) -> Iterator[Text]:
    """Both sides of each conflict between documents, with source and year."""
    yield from paper.hanging("", Text(paper.words("These may disagree (found by rules; read both):"), "yellow"))
    numbers = {identity(c): n for n, c in enumerate(answer.citations, start=1)}
    for row in answer.conflicts:
        sentence = answer.sentences[int(row["sentence"]) - 1]
        own = sentence.citations[0]
        yield from _side(f"[{numbers[identity(own)]}] ", own.to_dict(), paper)
        other = row.get("other_sentence")
        number = numbers[identity(answer.sentences[int(other) - 1].citations[0])] if other else None
        yield from _side(f"[{number}] " if number else "", row, paper)
        yield from paper.hanging("", Text(one_line(paper.words.told(str(row["why"]))), "dim"), indent=4)
    yield Text()


def _side(number: str, row: Mapping[str, Any], paper: Paper) -> Iterator[Text]:
    yield from paper.hanging(Text(f"{number}", "cyan"), Text(f"{side(row)}: {one_line(str(row['quote']))}"), indent=2)


def sources_sentence(answer: Answer, words: Words = ENGLISH) -> str:
    """How evidence and citations are spread over the documents of a collection."""
    cited = [s.cited for s in answer.sources if s.cited]
    with_evidence = sum(s.evidence > 0 for s in answer.sources)
    shares = words(" ({shares} sentences)", shares=", ".join(map(str, cited))) if len(cited) > 1 else ""
    return words(
        "Cites {documents}{shares} of {known} with evidence and {all} looked at.",
        documents=words.plural(len(cited), "document"), shares=shares, known=words.number(with_evidence),
        all=words.number(len(answer.sources)),
    )  # fmt: skip


def searched_sentence(searched: Searched, words: Words = ENGLISH) -> str:
    """What the answer, or its absence, rests on."""
    if not searched.documents:
        return words("There was no document to search.")
    said = words(
        "Searched {documents}, {passages}",
        documents=words.plural(searched.documents, "document"), passages=words.plural(searched.passages, "passage"),
    )  # fmt: skip
    if searched.first and searched.last:
        said += f", {days_of(searched.first, searched.last, words)}"
    if searched.undated and searched.undated < searched.documents:
        said += words(" ({count} undated)", count=words.number(searched.undated))
    return one_line(said) + "."


def days_of(first: str, last: str, words: Words) -> str:
    """`2019-03-02 to 2019-04-01`, or the only day."""
    return words("{first} to {last}", first=first, last=last) if last != first else first


class Told(Protocol):
    """Any form of an answer: it says what happened on the way, and where it was asked."""

    @property
    def fallbacks(self) -> Sequence[Mapping[str, Any]]:
        """By name and count."""

    @property
    def scope(self) -> Scope:
        """The partition."""

    @property
    def as_of(self) -> str | None:
        """Nothing later was used."""


def cautions(answer: Told, words: Words = ENGLISH) -> list[str]:
    """What a reader must know of how the answer came about."""
    return list(_fallbacks(answer, _CAUTIONS, words))


def remarks(answer: Told, words: Words = ENGLISH) -> list[str]:
    """What only explains how the answer came about."""
    return list(_fallbacks(answer, _REMARKS, words))


def _fallbacks(answer: Told, known: Mapping[str, str], words: Words) -> Iterator[str]:
    """The fallbacks of one group in words; one that nobody has words for yet is a caution under its own name."""
    for fallback in answer.fallbacks:
        name, count = str(fallback.get("name", "")), int(fallback.get("count", 1))
        if name == "read_as" and known is _CAUTIONS:
            yield one_line(_readings(fallback.get("words", ()), words))
        elif name in known:
            said = words(
                known[name], sentences=words.plural(count, "sentence"), passages=words.plural(count, "passage"),
                count=words.number(count), were=words.noun("was", count, "were"), place=_place(answer, words),
            )  # fmt: skip
            yield _sentence(said)
        elif known is _CAUTIONS and name not in _REMARKS:
            said = words("Fallback: {name}", name=name.replace("_", " "))
            yield one_line(said) + (f" ({count})." if count != 1 else ".")


def _readings(pairs: Sequence[Mapping[str, str]], words: Words) -> str:
    """What was read otherwise: `Read diahrrea as diarrhea`."""
    said = (words("{written} as {read}", written=pair["written"], read=pair["read"]) for pair in pairs)
    return words("Read {pairs}.", pairs=", ".join(said))


def _place(answer: Told, words: Words) -> str:
    """What was searched; in a language with genders with its article."""
    return words("record" if answer.scope.kind == "patient" else "collection")
