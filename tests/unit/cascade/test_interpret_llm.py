"""What a model's reply to the question for a query is worth; what a query may not add to the message."""

from __future__ import annotations

import pytest

from chartcite.cascade.interpret.additions import added
from chartcite.cascade.interpret.llm import read_query

READ = [
    ('{"query": "What caused the fever?"}', "What caused the fever?"),
    ('```json\n{"query": "What caused the fever?",}\n```', "What caused the fever?"),
    ('<think>{"query": "no"}</think>{"query": "What caused the fever?"}', "What caused the fever?"),
    ('Sure!\n{"query": "What caused the fever?"} Anything else?', "What caused the fever?"),
    ("What caused the fever?", "What caused the fever?"),
    ("Query: What caused the fever?", "What caused the fever?"),
    ('"What caused the fever?"', "What caused the fever?"),
    ("Here is the question:\n\nWhat caused the fever?", "What caused the fever?"),
    ("What caused the fever?\nI hope this helps.", "What caused the fever?"),
    ('{"query": "Question: \\"What caused the fever?\\""}', "What caused the fever?"),
    ("", None),
    ("   \n", None),
    ("...", None),
    ('{"query": ""}', None),
    ('{"query": null}', None),
    ('{"query": ["fever"]}', None),
    ('{"sentences": []}', None),
    ("[1, 2]", None),
    ("I'm sorry, I cannot help with that.", None),
    ('{"query": "I am sorry, but I cannot answer medical questions."}', None),
    ("As an AI language model, I have no access to records.", None),
    ("<think>What caused the fever?", None),
    (" ".join(["fever"] * 60), None),
]


@pytest.mark.parametrize(("raw", "query"), READ, ids=[str(n) for n in range(len(READ))])
def test_a_query_is_read_or_there_is_none(raw: str, query: str | None) -> None:
    assert read_query(raw, False).value == query


def test_a_query_that_was_cut_off_is_partial() -> None:
    assert read_query('{"query": "What caused the', True).is_partial
    assert read_query("What caused the", True).is_partial
    assert not read_query('{"query": "What caused the fever?"}', True).is_partial


MESSAGE = (
    "My mother (71) was on Lopressor 50 mg and something for her heart attack. She came home with pneumonia two weeks "
    "ago. Her knee hurts."
)
ADDED = [
    ("Why was the metoprolol stopped?", ""),
    ("How was the myocardial infarction treated?", ""),
    ("Is the infection gone after 2 weeks?", ""),
    ("Which one was stopped, and what was the diagnosis?", ""),
    ("What is the cause of the knee pain?", ""),
    ("What is the dose of metoprolol, 100 mg?", "number"),
    ("What happened three weeks ago?", "number"),
    ("Why was warfarin stopped?", "drug"),
    ("Was a pulmonary embolism found?", "finding"),
    ("How is the gonarthrosis treated?", "finding"),
]


@pytest.mark.parametrize(("query", "what"), ADDED, ids=[str(n) for n in range(len(ADDED))])
def test_what_the_message_does_not_hold_is_told(query: str, what: str) -> None:
    assert added(query, MESSAGE) == what
