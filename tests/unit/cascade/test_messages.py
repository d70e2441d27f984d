"""Long messages: what they are made of, what of them is searched for; misspelt words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chartcite.cascade.interpret.cues import load_cues
from chartcite.cascade.interpret.edits import edits_between, may_be_within
from chartcite.cascade.interpret.message import read_message
from chartcite.cascade.interpret.rules import MAX_QUERY_WORDS, interpret
from chartcite.cascade.interpret.spelling import MOST_LOOKED_UP, respell

CUES = load_cues("en")


class Words:
    """A vocabulary of a few words, the most frequent first."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def rarity(self, word: str) -> float:
        return 1.0

    def has(self, word: str) -> bool:
        return word in self.words

    def nearest(self, word: str, one_edit: int, two_edits: int) -> list[tuple[int, str]]:
        limit = 0 if len(word) < one_edit else 2 if len(word) >= two_edits else 1
        near = [(edits_between(word, other, limit), other) for other in self.words if other[0] == word[0]]
        return sorted((pair for pair in near if pair[0] <= limit), key=lambda pair: pair[0])


@pytest.mark.parametrize(
    ("text", "subject", "sentences"),
    [
        ("SUBJECT: Ear Wax\nMESSAGE: Is peroxide safe?", "Ear Wax", ("Is peroxide safe?",)),
        ("MESSAGE: Is peroxide safe?", "", ("Is peroxide safe?",)),
        ("Ear wax.\nIs peroxide safe?", "Ear wax.", ("Is peroxide safe?",)),
        ("ear wax\n\nis peroxide safe?", "ear wax", ("is peroxide safe?",)),
        ("I put peroxide\ninto my ear. Is it safe?", "", ("I put peroxide into my ear.", "Is it safe?")),
        ("General health\n\nIs gout inherited?", "", ("Is gout inherited?",)),
        ("Hello! Is gout inherited? Thank you very much. Best regards.", "", ("Is gout inherited?",)),
        ("My gums hurt...is that normal?I use floss.", "", ("My gums hurt...", "is that normal?", "I use floss.")),
        ("Is it gout? [NAME] [CONTACT]", "", ("Is it gout?",)),
    ],
)
def test_a_message_is_its_subject_and_its_sentences(text: str, subject: str, sentences: tuple[str, ...]) -> None:
    message = read_message(text, CUES)
    assert (message.subject, message.sentences) == (subject, sentences)


@pytest.mark.parametrize(
    ("message", "query"),
    [
        ("Simvastatin\n\nAny harm in taking it in the morning?", "Any harm in taking it in the morning Simvastatin"),
        ("Does she have diabetes? What is the warfarin dose?", "What is the warfarin dose"),
        ("Hello. Is gout inherited? Thanks a lot.", "Is gout inherited"),
        ("Bom dia. A gota é hereditária? Obrigada.", "A gota é hereditária"),
    ],
)
def test_a_short_message_is_its_question_with_its_topic(message: str, query: str) -> None:
    assert interpret(message).query == query


LONG = (
    "Wegener's\n\nMy mother who is 71 was diagnosed with granulomatosis two years ago and takes methotrexate weekly. "
    "She lives with us and we are very worried, the whole family is. She has no fever and does not smoke. "
    "Can she get the shingles vaccine? What do you think? Thank you so much for your help and God bless you."
)


def test_of_a_long_message_the_question_and_what_it_is_about_are_searched_for() -> None:
    found = interpret("", LONG)
    words = found.query.lower().split()
    assert words[:6] == ["can", "she", "get", "the", "shingles", "vaccine"]
    assert "granulomatosis" in words
    assert "wegener's" in words
    assert not {"worried", "family", "thank", "god"} & set(words)
    assert found.focus == ("shingles", "vaccine")
    assert "methotrexate" in found.story
    assert "Thank" not in found.story
    assert found.other_questions == 1


@pytest.mark.parametrize("message", [LONG, LONG.replace("Can she", "Can a man with no spleen and without antibodies")])
def test_a_negation_and_the_word_it_turns_stay_together(message: str) -> None:
    words = interpret("", message).query.lower().split()
    for negation, turned in (("no", {"fever", "spleen"}), ("without", {"antibodies"}), ("not", {"smoke"})):
        following = {after for word, after in pairwise(words) if word == negation}
        assert following <= turned
        assert negation in words or not turned & set(words)


def test_a_message_gives_the_same_query_whatever_white_space_it_has() -> None:
    head, body = LONG.split("\n\n")
    assert interpret("", f"{head}\r\n\r\n{body.replace(' ', '  ')}").query == interpret("", LONG).query


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Qual é a dose atual de varfarina?", "latest"),
        ("Qual foi o último valor de creatinina?", "latest"),
        ("Quando foi iniciada a insulina?", "first"),
        ("O paciente tem marca-passo?", "absence"),
        ("Há registro de gota?", "absence"),
        ("Por que a metformina foi suspensa?", "fact"),
    ],
)
def test_kinds_of_portuguese_questions(question: str, kind: str) -> None:
    assert interpret(question).kind == kind


def test_portuguese_focus_leaves_out_what_any_question_may_have() -> None:
    assert interpret("Qual é a dose atual de varfarina do paciente?").focus == ("varfarina",)


@given(st.text("abc dé?!.,'-\n\t1", max_size=120))
def test_any_message_gives_a_bounded_query_of_its_own_words(text: str) -> None:
    if not text.strip():
        return
    query = interpret("", text, Words("abcd", "bad")).query
    assert len(query.split()) <= MAX_QUERY_WORDS


@pytest.mark.parametrize(
    ("written", "words", "read"),
    [
        ("what is aeortic stenosis", ("aortic",), "what is aortic stenosis"),
        ("chronic Diahrrea", ("diarrhea",), "chronic Diarrhea"),
        ("ALLERGIC TO PENICILLAN", ("penicillin",), "ALLERGIC TO PENICILLIN"),
        ("taking hydrocodene at night", ("hydrocodone",), "taking hydrocodone at night"),
        ("Klippel-Tranaunay syndrome", ("trenaunay", "klippel"), "Klippel-Trenaunay syndrome"),
    ],
)
def test_a_misspelt_word_is_read_as_one_that_the_partition_has(written: str, words: tuple[str, ...], read: str) -> None:
    text, readings = respell(written, Words(*words), CUES)
    assert text == read
    assert len(readings) == 1


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Is she on hydroxyzine?", ("hydralazine",)),  # another listed drug
        ("Does she take prednisone?", ("prednisolone",)),
        ("Is there hyperkalemia?", ("hypokalemia",)),  # a listed word
        ("Is there hyperkalemja?", ("hypokalemia",)),  # another beginning
        ("Was a colostomy done?", ("colectomy",)),  # another ending
        ("Is there orthopnea?", ("orthopedics",)),
        ("Is there ureteritis?", ("urethritis",)),
        ("Has he gout?", ("gut",)),  # too short to be sure
        ("Was 25000 given?", ("2500",)),
        ("Does Mr. Castelo smoke?", ("castello",)),  # a name
        ("Has Maria Castelo had asthma?", ("castello",)),
        ("Patience is needed", ("patient",)),  # inflected, not misspelt
        ("Was contrast given?", ("contacts",)),  # neither is listed, two edits
    ],
)
def test_a_reading_that_could_turn_the_sense_is_not_made(question: str, words: tuple[str, ...]) -> None:
    assert respell(question, Words(*words), CUES) == (question, ())


class Asked(Words):
    """A vocabulary that remembers what it was asked for."""

    def nearest(self, word: str, one_edit: int, two_edits: int) -> list[tuple[int, str]]:
        self.words = (*self.words, word)
        return []


def test_a_very_long_text_is_looked_up_in_part_only() -> None:
    text = " ".join(f"aeort{a}{b}c" for a in "bdfghjk" for b in "lmnpqrs")
    vocabulary = Asked()
    assert respell(text, vocabulary, CUES) == (text, ())
    assert len(vocabulary.words) == MOST_LOOKED_UP < len(text.split())


def test_of_two_drugs_equally_near_none_is_read() -> None:
    assert respell("on cefalexan now", Words("cefalexin", "cefalexon"), CUES)[1] == ()


def test_a_drug_is_read_at_one_edit_only() -> None:
    assert respell("on hydrocodene", Words("hydrocodone"), CUES)[1]
    assert respell("on hydrokodene", Words("hydrocodone"), CUES)[1] == ()


@given(st.text("abcde ", max_size=60))
def test_what_the_partition_has_is_never_read_otherwise(text: str) -> None:
    words = text.split()
    assert respell(text, Words(*words), CUES) == (text, ())


WORD = st.text("abc", max_size=7)


@given(WORD, WORD)
def test_edits_are_the_same_both_ways_and_never_more_than_the_longer_word(one: str, other: str) -> None:
    found = edits_between(one, other, 9)
    assert found == edits_between(other, one, 9)
    assert abs(len(one) - len(other)) <= found <= max(len(one), len(other))
    assert (found == 0) == (one == other)


@given(WORD, WORD, st.integers(0, 3))
def test_the_quick_look_turns_no_near_pair_away(one: str, other: str, limit: int) -> None:
    near = edits_between(one, other, 9) <= limit
    assert edits_between(one, other, limit) == min(edits_between(one, other, 9), limit + 1)
    assert may_be_within(one, other, limit) or not near
