"""The audit trail of a store: lines that are only ever added, each bound to the one before it by a keyed hash.

    mac(0) = HMAC(key, "chartcite audit" | id)        mac(n) = HMAC(key, mac(n - 1) | n | line n)

Whoever can write the file but lacks the key can neither change a line nor add, move or drop one without being seen;
lines missing at the end are seen by the anchor, the last number and hash, which is kept beside the key and can be
exported to where nobody of this machine can write. HMAC-SHA256 (RFC 2104) throughout.

A line has no text: a question is a keyed hash, a patient and a document are pseudonyms. Clear names stand apart, in a
table that a deletion empties; the chain is as before, and whoever knows an identifier can still ask for its lines.
"""

from __future__ import annotations

import copy
import fcntl
import hashlib
import hmac
import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chartcite.core.audit import Event
from chartcite.core.errors import AuditKeyMissing, StoreDamaged, StoreUnwritable
from chartcite.core.scope import Scope
from chartcite.store.database import transaction, translated

FILE = "audit.sqlite3"
_KEY_BYTES = 32
_SCHEMA = """
CREATE TABLE trail (id TEXT NOT NULL, first INTEGER NOT NULL, before BLOB NOT NULL, mac BLOB NOT NULL);
CREATE TABLE lines (n INTEGER PRIMARY KEY, line TEXT NOT NULL, mac BLOB NOT NULL);
CREATE TABLE names (pseudonym TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX names_by_owner ON names (owner);
"""


@dataclass(frozen=True, slots=True)
class Anchor:
    """The end of a trail at some time: what was there then must still be there."""

    trail: str
    n: int
    mac: str

    def to_json(self) -> str:
        """One line."""
        content = {"schema": "chartcite.anchor/1", "trail": self.trail, "n": self.n, "mac": self.mac}
        return json.dumps(content, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Anchor:
        """The inverse.

        Raises:
            ValueError: it is no anchor.
        """
        found = json.loads(text)
        if not isinstance(found, dict) or found.get("schema") != "chartcite.anchor/1":
            raise ValueError("not an anchor")
        trail, n, mac = found.get("trail"), found.get("n"), found.get("mac")
        if not (isinstance(trail, str) and isinstance(mac, str) and type(n) is int and n >= 0):
            raise ValueError("not an anchor")
        return cls(trail, n, mac)


class Keys:
    """A key of one's own for each use, from the one in the file."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def mac(self, use: str, *parts: bytes) -> bytes:
        """32 bytes over parts that cannot run into each other."""
        digest = hmac.new(hmac.digest(self._key, use.encode(), "sha256"), digestmod=hashlib.sha256)
        for part in parts:
            digest.update(len(part).to_bytes(8, "big") + part)
        return digest.digest()

    def of_line(self, before: bytes, n: int, line: str) -> bytes:
        """The hash that a line must have behind another."""
        return self.mac("line", before, n.to_bytes(8, "big"), line.encode())

    def of_start(self, trail: str, first: int, before: bytes) -> bytes:
        """Bears out where a trail begins: at its first line, or behind those that retention took away."""
        return self.mac("start", trail.encode(), first.to_bytes(8, "big"), before)

    def pseudonym(self, scope: Scope, doc_id: str | None = None) -> str:
        """16 characters for a partition, or for a document of it."""
        parts = (scope.kind.encode(), scope.name.encode())
        return self.mac("name", *parts, *([] if doc_id is None else [doc_id.encode("utf-8", "surrogatepass")])).hex()[
            :16
        ]


class AuditTrail:
    """The trail of one store, with its key. Safe to use from threads and processes at once."""

    def __init__(self, folder: Path, key_file: Path, who: str) -> None:
        """Open, or begin where there is neither trail nor key.

        Raises:
            AuditKeyMissing: there is a trail, and its key is not where it should be; or the key is inside the store.
            StoreDamaged: the file is no trail, or was begun with another key.
            StoreUnwritable: the trail or the key cannot be made or written.
        """
        self.folder, self.who = folder, who
        self.path = folder / FILE
        self._lock = threading.Lock()
        self._key_file = _outside(key_file.expanduser().absolute(), folder)
        self.keys = Keys(_key(self._key_file, must_exist=self.path.exists()))
        self.trail = self._begin()

    def used_by(self, who: str) -> AuditTrail:
        """The same trail, for somebody else."""
        other = copy.copy(self)
        other.who = who
        return other

    def record(self, event: Event) -> None:
        """Add a line; it is on the disk when this returns."""
        scope = event.scope
        names = {} if scope is None else {self.keys.pseudonym(scope): scope.name}
        documents = [] if scope is None else [self.keys.pseudonym(scope, d) for d in event.documents]
        names |= dict(zip(documents, event.documents, strict=True)) if scope else {}
        if event.reason == "UnknownPartition" or event.action == "delete":
            names = {}  # what somebody typed, or what is gone
        line = {
            "when": datetime.now(UTC).isoformat(timespec="microseconds"), "who": self.who, "action": event.action,
            "kind": scope.kind if scope else None, "subject": self.keys.pseudonym(scope) if scope else None,
            "asked": self.keys.mac("asked", _bytes(event.asked)).hex() if event.asked else None,
            "documents": documents, "model": event.model or None, "outcome": event.outcome,
            "reason": event.reason or None,
        }  # fmt: skip
        owner = self.keys.pseudonym(scope) if scope else ""
        with self._lock, closing(self._connect()) as connection:
            with transaction(connection, self.folder) as cursor:
                n, before = _end(cursor)
                text = json.dumps(line, sort_keys=True, ensure_ascii=False)
                mac = self.keys.of_line(before, n + 1, text)
                cursor.execute("INSERT INTO lines VALUES (?, ?, ?)", (n + 1, text, mac))
                cursor.executemany(
                    "INSERT OR IGNORE INTO names VALUES (?, ?, ?)", [(p, owner, name) for p, name in names.items()]
                )
            self._keep_anchor(Anchor(self.trail, n + 1, mac.hex()))

    def forget(self, scope: Scope) -> None:
        """Lose the names of a partition and its documents; the lines stay as they are."""
        with self._lock, closing(self._connect()) as connection:
            with transaction(connection, self.folder) as cursor:
                cursor.execute("DELETE FROM names WHERE owner = ?", (self.keys.pseudonym(scope),))
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def anchor(self) -> Anchor:
        """The end of the trail now."""
        with closing(self._connect()) as connection, transaction(connection, self.folder, "DEFERRED") as cursor:
            n, mac = _end(cursor)
        return Anchor(self.trail, n, mac.hex())

    def kept_anchor(self) -> Anchor | None:
        """What is beside the key; None where it was lost.

        Raises:
            StoreDamaged: it is no anchor.
        """
        try:
            return Anchor.from_json(self._anchor_file.read_text("utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise StoreDamaged(
                f"The anchor {self._anchor_file} cannot be used.", "Compare with an exported one: --anchor FILE."
            ) from error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Cursor]:
        """One consistent state of the file."""
        with closing(self._connect()) as connection, transaction(connection, self.folder, "DEFERRED") as cursor:
            yield cursor

    def lines(self) -> Iterator[dict[str, Any]]:
        """Every line with its number, and with clear names (`subject_name`, `document_names`) where they are kept."""
        with self.reading() as cursor:
            names = dict(cursor.execute("SELECT pseudonym, name FROM names").fetchall())
            for n, text in cursor.execute("SELECT n, line FROM lines ORDER BY n").fetchall():
                line = _content(text)
                named = [names.get(d) for d in line["documents"]]
                yield {"n": n, **line, "subject_name": names.get(line["subject"]), "document_names": named}

    def prune(self, before: str) -> int:
        """Drop the lines of before an ISO moment from the beginning on, and say so in a new line; how many.

        The last line stays, so that a trail is never empty once it was used.
        """
        with self._lock, closing(self._connect()) as connection:
            with transaction(connection, self.folder) as cursor:
                rows = cursor.execute("SELECT n, line, mac FROM lines ORDER BY n").fetchall()
                young = (i for i, (_, line, _) in enumerate(rows) if _content(line)["when"] >= before)
                old = [(n, mac) for n, _, mac in rows[: min(next(young, len(rows)), len(rows) - 1)]]
                if old:
                    last, mac = old[-1]
                    start = (last + 1, mac, self.keys.of_start(self.trail, last + 1, mac))
                    cursor.execute("UPDATE trail SET first = ?, before = ?, mac = ?", start)
                    cursor.execute("DELETE FROM lines WHERE n <= ?", (last,))
                    used = {d for (t,) in cursor.execute("SELECT line FROM lines") for d in _pseudonyms(_content(t))}
                    known = cursor.execute("SELECT pseudonym FROM names").fetchall()
                    cursor.executemany("DELETE FROM names WHERE pseudonym = ?", [r for r in known if r[0] not in used])
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if old:
            self.record(Event("prune", "done", reason=f"{len(old)} lines of before {before}"))
        return len(old)

    @property
    def _anchor_file(self) -> Path:
        return self._key_file.with_name(f"{self._key_file.name}.{self.trail[:16]}.anchor")

    def _connect(self) -> sqlite3.Connection:
        with translated(self.folder):
            connection = sqlite3.connect(self.path, timeout=10, isolation_level=None, check_same_thread=False)
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                connection.execute(f"PRAGMA {pragma}")
        return connection

    def _begin(self) -> str:
        if not self.path.exists():
            with suppress(FileExistsError), _made(self.path):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(self._connect()) as connection, transaction(connection, self.folder) as cursor:
            if not cursor.execute("SELECT 1 FROM sqlite_master WHERE name = 'trail'").fetchone():
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    cursor.execute(statement)
                trail = os.urandom(16).hex()
                before = self.keys.mac("begin", trail.encode())
                cursor.execute(
                    "INSERT INTO trail VALUES (?, 1, ?, ?)", (trail, before, self.keys.of_start(trail, 1, before))
                )
            found = cursor.execute("SELECT id, first, before, mac FROM trail").fetchall()
        if len(found) != 1 or not hmac.compare_digest(self.keys.of_start(*found[0][:3]), bytes(found[0][3])):
            raise StoreDamaged(
                f"The audit trail {self.path} was not begun with the key {self._key_file}, or was changed.",
                "Name the key it was begun with (audit_key), or restore the trail from a backup.",
            )
        return str(found[0][0])

    def _keep_anchor(self, anchor: Anchor) -> None:
        """Beside the key, and never an older one in place of a newer."""
        path = self._anchor_file
        with _made(path), _locked(path):
            with suppress(OSError, ValueError):
                if Anchor.from_json(path.read_text("utf-8")).n >= anchor.n:
                    return
            temporary = path.with_name(f"{path.name}.new")
            temporary.write_text(anchor.to_json() + "\n", "utf-8")
            temporary.replace(path)


def _end(cursor: sqlite3.Cursor) -> tuple[int, bytes]:
    """Number and hash of the last line; of a trail without lines those it begins with."""
    row = cursor.execute("SELECT n, mac FROM lines ORDER BY n DESC LIMIT 1").fetchone()
    if row is None:
        row = cursor.execute("SELECT first - 1, before FROM trail").fetchone()
    return int(row[0]), bytes(row[1])


def _content(line: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(line)
        return {**found, "when": str(found["when"]), "documents": list(found["documents"]), "subject": found["subject"]}
    except (ValueError, TypeError, KeyError) as error:
        raise StoreDamaged(
            "A line of the audit trail is not what was written.", "Run `chartcite audit verify`; restore a backup."
        ) from error


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _pseudonyms(line: dict[str, Any]) -> list[str]:
    return [line["subject"], *line["documents"]]


def _outside(key_file: Path, folder: Path) -> Path:
    if folder.resolve() in key_file.resolve().parents:
        raise AuditKeyMissing(
            "The audit key would lie in the store's own folder, where whoever changes the trail has it as well.",
            "Set audit_key to a file elsewhere.",
        )
    return key_file


def _key(path: Path, *, must_exist: bool) -> bytes:
    """What is in the file; made where there is neither key nor trail."""
    if not must_exist and not path.exists():
        with suppress(FileExistsError), _made(path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            temporary = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.new")
            temporary.touch(0o600)
            temporary.write_text(os.urandom(_KEY_BYTES).hex() + "\n", "ascii")
            try:
                os.link(temporary, path)  # whole or not at all, and never over another
            finally:
                temporary.unlink()
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise AuditKeyMissing(
            f"The key of the audit trail cannot be read from {path}.", "Set audit_key to the file, or restore it."
        ) from error
    if len(key) < _KEY_BYTES:
        raise AuditKeyMissing(
            f"{path} does not hold a key of {_KEY_BYTES} bytes in hexadecimal digits.", "Restore it from a backup."
        )
    return key


@contextmanager
def _made(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreUnwritable(
            f"{path} cannot be written: {error.strerror}.", "Check the permissions of its folder and the free space."
        ) from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.with_name(f"{path.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
