"""Export: asks each question, keeps the chats of stages whose answer was verified, writes them by stage and split."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from chartcite import __version__
from chartcite.cascade.prompts.files import fingerprint
from chartcite.core.answer import Answer
from chartcite.core.errors import ChartciteError, UsageError
from chartcite.deid.deidentifier import Deidentifier
from chartcite.lab.csv_safe import replace_text
from chartcite.lab.training.questions import Asked
from chartcite.lab.training.teacher import Chat, Notebook, Noted, RulesTeacher
from chartcite.library.book import Book
from chartcite.library.calls.turns import hidden_turns
from chartcite.library.engines import Engines
from chartcite.library.settings import Settings
from chartcite.models.files import sha256_of

SCHEMA: Final = "chartcite.training/1"
STAGES: Final = ("interpret", "score", "write", "align")
WARNING: Final = (
    "These files hold text of patients' records. A model that was trained on them may repeat it: treat the files and"
    " the model as the records themselves. De-identification by rules does not find everything."
)
_TEACHER: Final = "http://127.0.0.1:9/rules"


@dataclass(frozen=True, slots=True)
class How:
    """What is exported.

    Attributes:
        stages: of `STAGES`.
        by_rules: whether the rules are the teacher; else the model that the settings name.
        real_text: whether texts stay as they are; else names, dates and numbers are replaced.
        dev_share: of the patients, into `dev`.
        examples: invented examples in each prompt.
    """

    stages: tuple[str, ...] = STAGES
    by_rules: bool = True
    real_text: bool = False
    dev_share: float = 0.2
    examples: int = 0


@dataclass(slots=True)
class Exported:
    """The rows by stage and split, and why questions or chats gave none."""

    rows: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    questions: int = 0


def export_training(
    store: Path,
    asked: Sequence[Asked],
    settings: Settings,
    out: Path,
    how: How,
    engines: Engines | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Write `STAGE.train.jsonl` and `STAGE.dev.jsonl` (one `{"messages": [...]}` a line) and `manifest.json`.

    Args:
        store: of the records.
        asked: the questions; those of one patient are all in one split.
        settings: of the store; with a writer's endpoint if that is the teacher.
        out: a folder that is empty or does not exist.
        how: see `How`.
        engines: loaded already, for tests.
        progress: told how many questions are done, of how many.

    Raises:
        UsageError: no questions, an unknown stage, no model to learn from, or a folder that holds something.
    """
    _check(asked, settings, out, how)
    notebook = Notebook()
    taught = settings.model_copy(update={
        "interpret_by": "llm", "score_by": "llm", "align_by": "llm", "write_by": "llm", "reply_cache": False,
        "prompt_examples": how.examples, "writer_url": _TEACHER if how.by_rules else settings.writer_url,
        "writer_model": "rules" if how.by_rules else settings.writer_model, "votes": 1, "votes_needed": 1, "drafts": 0,
    })  # fmt: skip
    engines = engines or Engines(taught)
    teacher = RulesTeacher(settings.writer_context)
    if how.by_rules:
        engines.__dict__["writer"] = teacher
    engines.heard = lambda model: Noted(model, notebook)
    plain = settings.model_copy(update={"writer_url": "", "judge_url": "", **dict.fromkeys(_BY, "rules")})
    made = Exported(questions=len(asked))
    with (
        Book(store, plain, create=False, engines=engines) as rules,
        Book(store, taught, create=False, engines=engines) as book,
    ):
        hiders = _Hiders(book, how)
        for n, one in enumerate(asked, start=1):
            try:
                answer = _ask(one, rules, book, teacher, how)
            except ChartciteError as error:
                made.left_out[type(error).__name__] += 1
                notebook.take()
                continue
            _keep(one, answer, notebook.take(), hiders, made, how)
            if progress:
                progress(n, len(asked))
    return _write(out, made, taught, how)


_BY: Final = ("interpret_by", "score_by", "align_by", "choose_by", "span_by")


def _check(asked: Sequence[Asked], settings: Settings, out: Path, how: How) -> None:
    if not asked:
        raise UsageError("There is no question to learn from.", "Give --questions FILE.jsonl, or a run.")
    if unknown := set(how.stages) - set(STAGES):
        raise UsageError(f"There is no stage {sorted(unknown)[0]}.", f"Known: {', '.join(STAGES)}.")
    if not how.by_rules and not settings.writer_url:
        raise UsageError("No model is named that could be learnt from.", "Set writer_url and writer_model.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} holds something already.", "Name another folder.")


def _ask(one: Asked, rules: Book, book: Book, teacher: RulesTeacher, how: How) -> Answer:
    where: dict[str, Any] = {"patient": one.patient} if one.patient else {"collection": one.collection}
    where["narrative"] = one.narrative
    if how.by_rules:
        teacher.answer = rules.ask(one.question, **where)
        teacher.grades = rules.grades(one.question, **where)
    return book.ask(one.question, **where)


@dataclass(slots=True)
class _Hiders:
    """The de-identifier of each partition, made once."""

    book: Book
    how: How
    _made: dict[str, Deidentifier] = field(default_factory=dict)

    def of(self, one: Asked) -> Deidentifier | None:
        if self.how.real_text:
            return None
        key = f"{one.patient}\0{one.collection}"
        if key not in self._made:
            self._made[key] = self.book.deidentifier(patient=one.patient or None, collection=one.collection or None)
        return self._made[key]


def _keep(one: Asked, answer: Answer, chats: Sequence[Chat], hiders: _Hiders, made: Exported, how: How) -> None:
    if answer.abstained or not all(s.verified for s in answer.sentences):
        made.left_out["not_answered_or_not_verified"] += 1
        return
    shown = {s.text for s in answer.sentences}
    failed = {str(f["name"]).split("_")[0] for f in answer.fallbacks}
    split = "dev" if _share(one.unit) < how.dev_share else "train"
    hider = hiders.of(one)
    for chat in chats:
        if chat.stage not in how.stages:
            continue
        if not _is_sound(chat, shown, answer, failed):
            made.left_out[f"{chat.stage}_not_verified"] += 1
            continue
        row = _row(chat, hider)
        made.rows.setdefault((chat.stage, split), []).append(row)


def _is_sound(chat: Chat, shown: set[str], answer: Answer, failed: set[str]) -> bool:
    """Whether a reply is one to learn from: JSON whose sentences were all shown, in a stage that told of no fault."""
    try:
        reply = json.loads(chat.reply)
    except ValueError:
        return False
    if chat.stage == "write":
        texts = {s.get("text") for s in reply.get("sentences", ())} if isinstance(reply, dict) else set()
        return bool(texts) and texts <= shown and answer.writer is not None
    return chat.stage not in failed


def _row(chat: Chat, hider: Deidentifier | None) -> dict[str, Any]:
    turns = [{"role": m.role, "content": m.content} for m in chat.messages]
    turns.append({"role": "assistant", "content": chat.reply})
    if hider:
        hidden = hidden_turns([turn["content"] for turn in turns], lambda text: hider.hide(text).text)
        turns = [{**turn, "content": content} for turn, content in zip(turns, hidden, strict=True)]
    return {"messages": turns}


def _share(unit: str) -> float:
    """A number from 0 to 1 that follows from the patient alone."""
    return int.from_bytes(hashlib.sha256(unit.encode()).digest()[:4], "big") / 2**32


def _write(out: Path, made: Exported, settings: Settings, how: How) -> dict[str, Any]:
    out.mkdir(parents=True, exist_ok=True, mode=0o700)
    files: dict[str, dict[str, Any]] = {}
    for stage, split in _names(how.stages):
        path = out / f"{stage}.{split}.jsonl"
        rows = made.rows.get((stage, split), [])
        replace_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
        path.chmod(0o600)
        files[path.name] = {"rows": len(rows), "sha256": sha256_of(path)}
    manifest: dict[str, Any] = {
        "schema": SCHEMA, "warning": WARNING, "chartcite": __version__,
        "teacher": "rules" if how.by_rules else settings.writer_model, "prompts": fingerprint(how.stages),
        "examples_in_prompts": how.examples, "deidentified": not how.real_text, "questions": made.questions,
        "dev_share_of_patients": how.dev_share, "left_out": dict(sorted(made.left_out.items())), "files": files,
    }  # fmt: skip
    replace_text(out / "manifest.json", json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
    return manifest


def _names(stages: Sequence[str]) -> Iterator[tuple[str, str]]:
    for stage in stages:
        yield from ((stage, split) for split in ("train", "dev"))


def totals(manifest: Mapping[str, Any]) -> dict[str, int]:
    """Rows by stage, both splits together."""
    counted: Counter[str] = Counter()
    for name, file in manifest["files"].items():
        counted[name.split(".")[0]] += file["rows"]
    return dict(counted)
