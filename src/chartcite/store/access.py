"""Users, lists of patients, grants and tokens of a store, in a file of their own beside it.

A token is `cct_ID_SECRET`; the file keeps the SHA-256 of the secret, which has 256 random bits, so that no slow hash is
needed. Nothing is cached: what one process changes, another sees with its next question.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from chartcite.core.access import PERMISSIONS, Grant, GrantKind, Permission, Visitor
from chartcite.core.errors import AccessDenied, StoreDamaged, StoreUnwritable, UsageError
from chartcite.core.scope import Scope
from chartcite.store.database import transaction, translated

FILE = "access.sqlite3"
_APPLICATION_ID = 0x63636163  # "ccac"
_PREFIX = "cct"
_SCHEMA = """
CREATE TABLE users (name TEXT PRIMARY KEY, made TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lists (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE members (list TEXT NOT NULL REFERENCES lists ON DELETE CASCADE, patient TEXT NOT NULL,
    PRIMARY KEY (list, patient)) WITHOUT ROWID;
CREATE TABLE grants (user TEXT NOT NULL REFERENCES users ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (user, kind, name)) WITHOUT ROWID;
CREATE TABLE tokens (id TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE, hash BLOB NOT NULL,
    made TEXT NOT NULL, expires TEXT NOT NULL, revoked TEXT, permissions TEXT NOT NULL, narrowed TEXT) WITHOUT ROWID;
CREATE INDEX members_by_patient ON members (patient);
"""


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """What is known of a token, without its secret. Times are UTC, ISO 8601."""

    id: str
    user: str
    made: str
    expires: str
    revoked: str | None
    permissions: tuple[Permission, ...]
    narrowed_to: tuple[Grant, ...] | None = None

    def is_valid(self, now: datetime) -> bool:
        """Neither revoked nor expired."""
        return self.revoked is None and now < datetime.fromisoformat(self.expires)


class AccessStore:
    """The access file of one store. Safe to use from threads and processes at once: a connection for each call."""

    def __init__(self, folder: Path) -> None:
        """Nothing is made before the first user is."""
        self.folder = folder
        self.path = folder / FILE

    def has_users(self) -> bool:
        """Whether anybody was ever let in by name; until then a loopback door serves the user of its process."""
        return bool(self._rows("SELECT 1 FROM users LIMIT 1"))

    def add_user(self, name: str) -> None:
        """Make a user with no grant.

        Raises:
            UsageError: the name is none, or is taken.
        """
        _check_name(name)
        with self._writing() as cursor:
            if cursor.execute("SELECT 1 FROM users WHERE name = ?", (name,)).fetchone():
                raise UsageError("There is a user of that name.", "Choose another name.")
            cursor.execute("INSERT INTO users VALUES (?, ?)", (name, _now().isoformat(timespec="seconds")))

    def remove_user(self, name: str) -> None:
        """Remove a user with grants and tokens.

        Raises:
            UsageError: there is none of that name.
        """
        with self._writing() as cursor:
            _must_exist(cursor, "users", name)
            cursor.execute("DELETE FROM users WHERE name = ?", (name,))

    def users(self) -> list[str]:
        """Names, sorted."""
        return [row[0] for row in self._rows("SELECT name FROM users ORDER BY name")]

    def make_list(self, name: str) -> None:
        """Make an empty list of patients; it grants nothing while it is empty.

        Raises:
            UsageError: the name is none, or is taken.
        """
        Grant("list", name)
        with self._writing() as cursor:
            if cursor.execute("SELECT 1 FROM lists WHERE name = ?", (name,)).fetchone():
                raise UsageError("There is a list of that name.", "Choose another name.")
            cursor.execute("INSERT INTO lists VALUES (?)", (name,))

    def remove_list(self, name: str) -> None:
        """Remove a list and every grant of it, so that a later list of that name starts with nobody."""
        with self._writing() as cursor:
            _must_exist(cursor, "lists", name)
            cursor.execute("DELETE FROM lists WHERE name = ?", (name,))
            cursor.execute("DELETE FROM grants WHERE kind = 'list' AND name = ?", (name,))

    def add_to_list(self, name: str, patient: str) -> None:
        """Put a patient on a list."""
        Scope.patient(patient)
        with self._writing() as cursor:
            _must_exist(cursor, "lists", name)
            cursor.execute("INSERT OR IGNORE INTO members VALUES (?, ?)", (name, patient))

    def remove_from_list(self, name: str, patient: str) -> None:
        """Take a patient off a list."""
        with self._writing() as cursor:
            _must_exist(cursor, "lists", name)
            cursor.execute("DELETE FROM members WHERE list = ? AND patient = ?", (name, patient))

    def lists(self) -> dict[str, list[str]]:
        """Patients by list, both sorted."""
        found: dict[str, list[str]] = {row[0]: [] for row in self._rows("SELECT name FROM lists ORDER BY name")}
        for name, patient in self._rows("SELECT list, patient FROM members ORDER BY list, patient"):
            found[name].append(patient)
        return found

    def grant(self, user: str, grant: Grant) -> None:
        """Let a user see something; it need not be there yet, but a list must be.

        Raises:
            UsageError: no such user or list.
        """
        with self._writing() as cursor:
            _must_exist(cursor, "users", user)
            if grant.kind == "list":
                _must_exist(cursor, "lists", grant.name)
            cursor.execute("INSERT OR IGNORE INTO grants VALUES (?, ?, ?)", (user, grant.kind, grant.name))

    def revoke(self, user: str, grant: Grant) -> None:
        """Take a grant back.

        Raises:
            UsageError: the user does not have it.
        """
        with self._writing() as cursor:
            _must_exist(cursor, "users", user)
            taken = cursor.execute(
                "DELETE FROM grants WHERE user = ? AND kind = ? AND name = ?", (user, grant.kind, grant.name)
            ).rowcount
            if not taken:
                raise UsageError("The user has no such grant.", "See `chartcite access user list`.")

    def grants(self, user: str) -> tuple[Grant, ...]:
        """What a user has, sorted; nothing for somebody unknown."""
        rows = self._rows("SELECT kind, name FROM grants WHERE user = ? ORDER BY kind, name", user)
        return tuple(Grant(cast("GrantKind", kind), name) for kind, name in rows)

    def make_token(
        self, user: str, permissions: Collection[Permission], expires: datetime, narrowed_to: tuple[Grant, ...] | None
    ) -> str:
        """A new token; it cannot be shown again.

        Args:
            user: whose.
            permissions: what it may be used for, at least one thing.
            expires: with its zone, in the future.
            narrowed_to: what of the user's grants it opens; None: all, those of later too.

        Raises:
            UsageError: no such user, permission or time.
        """
        if not permissions or not set(permissions) <= PERMISSIONS:
            raise UsageError("A token needs permissions.", f"Choose among {', '.join(sorted(PERMISSIONS))}.")
        if expires <= _now():
            raise UsageError("The token would have expired already.", "Give a time in the future.")
        token, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        narrowed = None if narrowed_to is None else json.dumps([[g.kind, g.name] for g in sorted(narrowed_to)])
        with self._writing() as cursor:
            _must_exist(cursor, "users", user)
            cursor.execute(
                "INSERT INTO tokens VALUES (?, ?, ?, ?, ?, NULL, ?, ?)",
                (token, user, _hashed(secret), _now().isoformat(timespec="seconds"),
                 expires.astimezone(UTC).isoformat(timespec="seconds"), json.dumps(sorted(permissions)), narrowed),
            )  # fmt: skip
        return f"{_PREFIX}_{token}_{secret}"

    def revoke_token(self, token_id: str) -> None:
        """End a token now.

        Raises:
            UsageError: there is no such token.
        """
        with self._writing() as cursor:
            _must_exist(cursor, "tokens", token_id, "id")
            cursor.execute(
                "UPDATE tokens SET revoked = ? WHERE id = ? AND revoked IS NULL",
                (_now().isoformat(timespec="seconds"), token_id),
            )

    def tokens(self) -> list[TokenInfo]:
        """All, oldest first; without their secrets."""
        return [
            _info(row)
            for row in self._rows(
                "SELECT id, user, made, expires, revoked, permissions, narrowed FROM tokens ORDER BY made, id"
            )
        ]

    def visitor(self, token: str) -> Visitor:
        """Whom a token lets in.

        Raises:
            AccessDenied: it is unknown, expired or revoked.
        """
        denied = AccessDenied("This needs a valid token.", "Ask the operator for one: `chartcite access token create`.")
        parts = token.split("_", 2)
        token_id, secret = (parts[1], parts[2]) if len(parts) == 3 and parts[0] == _PREFIX else ("", "")
        rows = self._rows(
            "SELECT id, user, made, expires, revoked, permissions, narrowed, hash FROM tokens WHERE id = ?", token_id
        )
        kept = rows[0][7] if rows else bytes(32)
        if not hmac.compare_digest(kept, _hashed(secret)) or not rows:
            raise denied
        found = _info(rows[0][:7])
        if not found.is_valid(_now()):
            raise denied
        return Visitor(found.user, frozenset(found.permissions), found.id, found.narrowed_to)

    def check(self, visitor: Visitor) -> None:
        """Whether a visitor is still let in, for what takes long.

        Raises:
            AccessDenied: the token was revoked or has expired since.
        """
        if visitor.is_local:
            if self.has_users():
                raise AccessDenied("This needs a valid token.", "Users were made since: sign in with a token.")
            return
        if not any(t.id == visitor.token_id and t.is_valid(_now()) for t in self.tokens()):
            raise AccessDenied("This needs a valid token.", "Ask the operator for a new one.")

    def allows(self, visitor: Visitor, scope: Scope) -> bool:
        """Whether a partition is granted, now."""
        if visitor.is_local:
            return True
        return _covers(self._opened(visitor), self.grants(visitor.user), scope, self.lists_of(scope))

    def sees_everything(self, visitor: Visitor) -> bool:
        """Whether all of the store is granted, what comes later too."""
        everything = Grant("everything")
        return visitor.is_local or all(everything in g for g in (self._opened(visitor), self.grants(visitor.user)))

    def lists_of(self, scope: Scope) -> frozenset[str]:
        """Lists that a patient is on; none for a collection."""
        if scope.kind != "patient":
            return frozenset()
        return frozenset(row[0] for row in self._rows("SELECT list FROM members WHERE patient = ?", scope.name))

    def allowed(self, visitor: Visitor, scopes: Collection[Scope]) -> list[Scope]:
        """Those of some partitions that are granted, in their order."""
        if visitor.is_local:
            return list(scopes)
        lists: dict[str, set[str]] = {}
        for name, patient in self._rows("SELECT list, patient FROM members"):
            lists.setdefault(patient, set()).add(name)
        opened, granted = self._opened(visitor), self.grants(visitor.user)
        return [
            s
            for s in scopes
            if _covers(opened, granted, s, frozenset(lists.get(s.name, ()) if s.kind == "patient" else ()))
        ]

    def forget(self, scope: Scope) -> None:
        """A partition is gone: so are the grants of it and its places on lists. Its name is overwritten."""
        if not self.path.exists():
            return
        with self._writing() as cursor:
            cursor.execute("DELETE FROM grants WHERE kind = ? AND name = ?", (scope.kind, scope.name))
            if scope.kind == "patient":
                cursor.execute("DELETE FROM members WHERE patient = ?", (scope.name,))
            gone = [scope.kind, scope.name]
            for token_id, narrowed in cursor.execute(
                "SELECT id, narrowed FROM tokens WHERE narrowed IS NOT NULL"
            ).fetchall():
                kept = [grant for grant in json.loads(narrowed) if grant != gone]
                cursor.execute("UPDATE tokens SET narrowed = ? WHERE id = ?", (json.dumps(kept), token_id))

    def _opened(self, visitor: Visitor) -> tuple[Grant, ...]:
        return self.grants(visitor.user) if visitor.narrowed_to is None else visitor.narrowed_to

    def _rows(self, statement: str, *values: str) -> list[tuple[Any, ...]]:
        if not self.path.exists():
            return []
        with translated(self.folder), closing(self._connect()) as connection:
            return connection.execute(statement, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        if not self.path.exists():
            self._make()
        with closing(self._connect()) as connection, transaction(connection, self.folder) as cursor:
            yield cursor

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None)
        try:
            for pragma in ("foreign_keys=ON", "secure_delete=ON", "synchronous=FULL"):
                connection.execute(f"PRAGMA {pragma}")
            if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
                raise StoreDamaged(f"{self.path} is not an access file.", "Restore it from a backup.")
        except sqlite3.Error as error:
            connection.close()
            with translated(self.folder):
                raise error
        except BaseException:
            connection.close()
            raise
        return connection

    def _make(self) -> None:
        """Made whole under another name first: of two that begin at once, one finds the other's."""
        part = self.folder / f"{FILE}.{secrets.token_hex(4)}"
        try:
            os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            with translated(self.folder), closing(sqlite3.connect(part, isolation_level=None)) as connection:
                connection.executescript(f"BEGIN;{_SCHEMA}PRAGMA application_id={_APPLICATION_ID};COMMIT;")
            with suppress(FileExistsError):
                os.link(part, self.path)
        except OSError as error:
            raise StoreUnwritable(
                f"The access file in {self.folder} cannot be made: {error.strerror}.", "Check the store's folder."
            ) from error
        finally:
            part.unlink(missing_ok=True)


def _covers(opened: tuple[Grant, ...], granted: tuple[Grant, ...], scope: Scope, lists: frozenset[str]) -> bool:
    """Both the token and its user must be granted it: a token is a part of what its user has at the time."""
    return all(any(_is_for(grant, scope, lists) for grant in grants) for grants in (opened, granted))


def _is_for(grant: Grant, scope: Scope, lists: frozenset[str]) -> bool:
    if grant.kind == "everything":
        return True
    if grant.kind == "list":
        return grant.name in lists
    return (grant.kind, grant.name) == (scope.kind, scope.name)


def _info(row: tuple[Any, ...]) -> TokenInfo:
    narrowed = None if row[6] is None else tuple(Grant(kind, name) for kind, name in json.loads(row[6]))
    return TokenInfo(row[0], row[1], row[2], row[3], row[4], tuple(json.loads(row[5])), narrowed)


def _must_exist(cursor: sqlite3.Cursor, table: str, name: str, column: str = "name") -> None:
    if not cursor.execute(f"SELECT 1 FROM {table} WHERE {column} = ?", (name,)).fetchone():
        what = {"users": "user", "lists": "list", "tokens": "token"}[table]
        raise UsageError(f"There is no such {what}.", f"See `chartcite access {what} list`.")


def _check_name(name: str) -> None:
    try:
        Scope("collection", name)
    except UsageError as error:
        raise UsageError("This is no name of a user.", "Use letters and digits, without spaces around.") from error


def _hashed(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def _now() -> datetime:
    return datetime.now(UTC)
