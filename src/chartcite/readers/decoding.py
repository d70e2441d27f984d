"""Bytes to text: which character set, found without dropping or replacing a byte.

Order: what the caller declares; a byte-order mark; UTF-16 without a mark, by where its NULs are; strict UTF-8; UTF-8
with a few foreign bytes; Windows-1252 when it reads like western text; what charset-normalizer finds among the other
sets in use; Windows-1252; Latin-1, which holds every byte. Encoding the text again in the set found gives the bytes
back, so `40 µg` in Latin-1 stays `40 µg`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from chartcite.core.errors import CorruptSource, UnsupportedFormat

_SAMPLE_BYTES = 1 << 18
_MIXED = "chartcite.windows-1252"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with that of UTF-16-LE
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Sets still met in hospital exports; a longer list finds exotic look-alikes in short notes.
_OTHER_SETS = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp850", "mac_roman", "koi8_r", "iso8859_2",
    "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr",
)  # fmt: skip
_NOT_CHARACTER_SETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem", "utf-7"}
_PUBLIC_NAMES = {"cp1252": "windows-1252", "iso8859-1": "iso-8859-1"}
_CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1a\x1b")
_UTF8_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_HIGH = re.compile(rb"[\x80-\xff]")
_SYMBOL_IN_WORD = re.compile(r"(?<=[a-zA-Z])[^\x00-\x7f\w\xa0\xad·–—’‘'´](?=[a-z])")
_LONG_RUN = re.compile(r"[À-ÖØ-öø-ÿ]{3,}")


@dataclass(frozen=True, slots=True)
class Charset:
    """A character set: `name` as ledgers show it, `codec` and `errors` as Python's codecs take them."""

    name: str
    codec: str
    errors: str = "strict"

    def decode(self, data: bytes) -> str:
        """The text without its byte-order mark; line ends as they are."""
        return data.decode(self.codec, self.errors).removeprefix("\ufeff")


def _one_byte_as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    byte = error.object[error.start : error.start + 1]
    try:
        return byte.decode("cp1252"), error.start + 1
    except UnicodeDecodeError:
        return byte.decode("latin-1"), error.start + 1


codecs.register_error(_MIXED, _one_byte_as_windows_1252)


def named_charset(label: str) -> Charset | None:
    """The set a MIME label or an option names; None when there is no such character set."""
    try:
        info = codecs.lookup(label.strip().strip("\"'"))
    except (LookupError, ValueError):
        return None
    if not getattr(info, "_is_text_encoding", True) or info.name.replace("_", "-") in _NOT_CHARACTER_SETS:
        return None
    return Charset(_PUBLIC_NAMES.get(info.name, info.name), info.name)


def decode(data: bytes, declared: str = "") -> tuple[str, Charset]:
    """Text and the set it was in.

    Raises:
        CorruptSource: not text in the declared set.
        UnsupportedFormat: binary data, or no such set.
    """
    charset = find_charset([data], declared)
    try:
        return charset.decode(data), charset
    except UnicodeDecodeError as error:
        raise CorruptSource(
            f"the text is not {charset.name} (first wrong byte at {error.start:,})", "leave the encoding to be found"
        ) from error


def find_charset(pieces: Iterable[bytes], declared: str = "") -> Charset:
    """The set of a text given in pieces, each looked at once; memory does not grow with the text."""
    if declared:
        named = named_charset(declared)
        if named is None:
            raise UnsupportedFormat("no such character set", "name one such as utf-8, windows-1252 or iso-8859-1")
        return named
    seen = _Seen()
    for piece in pieces:
        if not seen.size and (wide := _by_bom(piece) or _by_nuls(piece)):
            return wide
        seen.add(piece)
    seen.finish()
    if seen.binary:
        raise UnsupportedFormat("binary data, not text")
    if seen.utf8:
        return Charset("utf-8", "utf-8")
    return _not_utf8(seen)


class _Seen:
    """What one pass over a text tells: strictly UTF-8 or not, which bytes occur, and a sample rich in high bytes."""

    def __init__(self) -> None:
        self.size = 0
        self.controls = 0
        self.nul = False
        self.utf8 = True
        self.bytes_used: set[int] = set()
        self.sample = bytearray()
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")

    @property
    def binary(self) -> bool:
        return self.nul or self.controls > max(2, self.size // 50)

    def add(self, piece: bytes) -> None:
        self.size += len(piece)
        self.nul = self.nul or b"\0" in piece
        self.controls += len(piece) - len(piece.translate(None, _CONTROLS))
        self._check(piece, final=False)
        if piece.isascii():
            return
        self.bytes_used |= set(piece)
        if len(self.sample) < _SAMPLE_BYTES:
            found = _HIGH.search(piece)
            start = max(0, found.start() - 64) if found else 0
            self.sample += piece[start : start + _SAMPLE_BYTES]

    def finish(self) -> None:
        self._check(b"", final=True)

    def _check(self, piece: bytes, *, final: bool) -> None:
        if self.utf8:
            try:
                self._decoder.decode(piece, final)
            except UnicodeDecodeError:
                self.utf8 = False


def _by_bom(head: bytes) -> Charset | None:
    for mark, codec in _BOMS:
        if head.startswith(mark):
            if codec == "utf-32-le" and not _decodes(head[: len(head) // 4 * 4], codec):
                continue  # UTF-16-LE whose first character is NUL
            return Charset(codec, codec)
    return None


def _by_nuls(head: bytes) -> Charset | None:
    """UTF-16 without a mark: western text in it has a NUL in (nearly) every second place and nowhere else."""
    head = head[:65536]
    half = len(head) // 2
    if half < 2 or (len(head) % 2 and len(head) < 65536):
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    for codec, high, low in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if high > half * 0.4 and low <= half * 0.02 and _reads_as_text(head[: half * 2 - 2], codec):
            return Charset(codec, codec)
    return None


def _reads_as_text(data: bytes, codec: str) -> bool:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        return False
    return sum(not c.isprintable() and not c.isspace() for c in text) <= len(text) // 50


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _not_utf8(seen: _Seen) -> Charset:
    sample = bytes(seen.sample)
    sequences = _UTF8_SEQUENCE.findall(sample)
    foreign = len(_HIGH.findall(sample)) - sum(map(len, sequences))
    if len(sequences) > foreign:
        # Notes pasted together from two systems, or cut inside a character: the few foreign bytes are read alone.
        return Charset("utf-8+windows-1252", "utf-8", _MIXED)
    western = _western(seen.bytes_used)
    if _reads_western(sample.decode("cp1252", "replace")):
        return western
    return _by_charset_normalizer(sample) or western


def _western(bytes_used: set[int]) -> Charset:
    undefined = {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # in Windows-1252
    return Charset("iso-8859-1", "latin-1") if bytes_used & undefined else Charset("windows-1252", "cp1252")


def _reads_western(text: str) -> bool:
    """Accented letters stand alone or in pairs, symbols outside words: true of western text, hardly of others."""
    high = sum(not c.isascii() for c in text)
    odd = text.count("\ufffd") + len(_SYMBOL_IN_WORD.findall(text))
    odd += sum(len(run) for run in _LONG_RUN.findall(text))
    return odd * 10 <= high


def _by_charset_normalizer(sample: bytes) -> Charset | None:
    import charset_normalizer  # noqa: PLC0415 - lazily: most files never need it

    best = charset_normalizer.from_bytes(sample[: 1 << 15], cp_isolation=list(_OTHER_SETS)).best()
    if best is None or best.percent_chaos > 10 or not _decodes(sample[: len(sample) // 2 * 2], best.encoding):
        return None
    return Charset(best.encoding.replace("_", "-"), best.encoding)
