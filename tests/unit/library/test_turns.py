"""What a turn of a chat looks like when it is sent, and a reply when it is read."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from pathlib import Path

import pytest

import chartcite
from chartcite.cascade.prompts.fence import fenced
from chartcite.core.chat import ChatReply, ChatRequest, Message, Stop, ask_all
from chartcite.deid.deidentifier import Deidentifier
from chartcite.deid.known import read_record
from chartcite.deid.masks import FENCES
from chartcite.library.calls.account import Account
from chartcite.library.calls.budget import Budgeted, Purse
from chartcite.library.calls.deidentified import Deidentified, Veil
from chartcite.library.calls.turns import hidden_turns, restored

LABEL = 'J "Jo" \\77'
NOTE = "Seen by Dra. Gonçalves on 2019-03-02. MRN 1234567. 5 de março de 2019."
SAID = "Seen.\nGonçalves agreed,\t2019-03-02; MRN\t1234567"


def hider() -> Deidentifier:
    return Deidentifier(b"s" * 32, read_record((NOTE, f"Chart {LABEL}"), (LABEL,)))


class Echo:
    """Says the last turn again."""

    name, is_remote, context_tokens = "m", True, 4096

    def __init__(self) -> None:
        self.sent: list[str] = []

    def chat(self, request: ChatRequest) -> ChatReply:
        self.sent = [message.content for message in request.messages]
        return ChatReply(self.sent[-1], "stop")


REPLIES = (
    json.dumps({"sentences": [{"text": SAID, "sources": ["E1"]}]}),
    json.dumps({"sentences": [{"text": SAID, "sources": ["E1"]}]}, ensure_ascii=False, indent=1),
    json.dumps([SAID, LABEL, 2019, None, True, 1.5]),
    json.dumps({"text": f"Chart {LABEL}\\n{NOTE}"}),
)


@pytest.mark.parametrize("turn", REPLIES, ids=range(len(REPLIES)))
def test_json_is_hidden_and_put_back_string_by_string(turn: str) -> None:
    echo = Echo()
    reply = Deidentified(echo, Veil(hider), Account()).chat(ChatRequest((Message("assistant", turn),), 9))
    said = json.dumps(json.loads(echo.sent[0]), ensure_ascii=False)
    assert not [w for w in ("Gon", "2019-03-02", "1234567", "Jo") if w in said]
    assert json.loads(reply.text) == json.loads(turn)
    assert ("2019" in said) == ("2019, null" in turn)  # a bare number is none of a record


AROUND = ("Here is the JSON: %s", "```json\n%s\n```", '<think>Dra. Gonçalves, 5" tall</think>%s', "%s trailing")


@pytest.mark.parametrize("around", AROUND, ids=range(len(AROUND)))
def test_json_with_prose_around_is_put_back(around: str) -> None:
    somebody = hider()
    turn = json.dumps({"text": SAID})
    sent = around % hidden_turns([turn], lambda t: somebody.hide(t).text)[0]
    assert json.dumps(SAID, ensure_ascii=False) in restored(sent, somebody.restore)


def test_a_reply_that_was_cut_off_is_put_back() -> None:
    somebody = hider()
    sent = hidden_turns([json.dumps({"text": SAID})], lambda t: somebody.hide(t).text)[0]
    assert restored(sent[:-14], somebody.restore).endswith(r"Gonçalves agreed,\t2019-03-02; ")


def test_text_with_escapes_is_hidden() -> None:
    somebody = hider()
    written = r"Said: Seen.\nGonçalves agreed\t2019-03-02\r\nMRN\t1234567"
    hidden = somebody.hide(written)
    assert hidden.counts == {"name": 1, "date": 1, "id": 1}
    assert somebody.restore(hidden.text) == written


@pytest.mark.parametrize("name", FENCES)
def test_a_mark_depends_on_what_is_sent_alone(name: str) -> None:
    def hide(text: str) -> str:
        return re.sub("Okafor|Adeyemi", "Thaxgate", re.sub(r"20\d\d-\d\d-\d\d", "2001-01-01", text))

    one, other = (
        hidden_turns(["Rules.", f"Data only:\n{fenced(name, f'E1: Dr. {who} on {day}.')}\n\nQuestion"], hide)
        for who, day in (("Okafor", "2019-03-02"), ("Adeyemi", "2020-05-06"))
    )
    assert one == other
    mark = hashlib.sha256(b"E1: Dr. Thaxgate on 2001-01-01.").hexdigest()[:8]
    assert f"<{name}-{mark}>\nE1: Dr. Thaxgate on 2001-01-01.\n</{name}-{mark}>" in one[1]


def test_no_mark_of_the_real_text_is_sent() -> None:
    echo, real = Echo(), fenced("sources", NOTE) + "\n\n" + fenced("message", "What did gonçalves say?")
    reply = Deidentified(echo, Veil(hider), Account()).chat(ChatRequest((Message("user", real),), 9))
    marks = re.findall(r"<(\w+)-(\w{8})>\n(.*?)\n</\1-\2>", echo.sent[0])
    assert [m[1] for m in marks] == [hashlib.sha256(m[2].encode()).hexdigest()[:8] for m in marks]
    assert not set(re.findall(r"-(\w{8})>", real)) & set(re.findall(r"-(\w{8})>", echo.sent[0]))
    assert NOTE in reply.text


def test_every_mark_of_a_prompt_is_known() -> None:
    source = "\n".join(p.read_text("utf-8") for p in sorted(Path(chartcite.__file__).parent.rglob("*.py")))
    used = set(re.findall(r"""fenced\(["'](\w+)["']""", source)) | set(re.findall(r"</(\w+)-\{fence\}", source))
    assert used == set(FENCES)


class Late:
    """Lets the first request through only when the second was asked."""

    name, is_remote, context_tokens = "m", True, 4096

    def __init__(self, inner: Deidentified) -> None:
        self.inner, self.second = inner, threading.Event()

    def chat(self, request: ChatRequest) -> ChatReply:
        if "91" in request.messages[0].content:
            self.second.wait(10)
            return self.inner.chat(request)
        reply = self.inner.chat(request)
        self.second.set()
        return reply


def test_surrogates_do_not_depend_on_which_call_comes_first() -> None:
    somebody, account, sent = hider(), Account(), []

    class Note(Echo):
        def chat(self, request: ChatRequest) -> ChatReply:
            sent.append(request.messages[0].content)
            return super().chat(request)

    hiding = Deidentified(Note(), Veil(lambda: somebody), account)
    purse = Purse(0, 0, Stop(), account, len)
    budgeted = Budgeted(Late(hiding), purse, 2, hiding.prepare)
    asked = ["Patient is 91 years old.", "Mother died at the age of 93."]
    replies = ask_all(budgeted, [ChatRequest((Message("user", text),), 9) for text in asked])
    assert [reply.text for reply in replies if isinstance(reply, ChatReply)] == asked
    assert sorted(sent) == ["Mother died at the age of 90+(2).", "Patient is 90+ years old."]
