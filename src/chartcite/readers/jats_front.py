"""The front of a JATS article: what it is called, who wrote it, when it came out, under which number and licence."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass

from chartcite.core.time import When
from chartcite.readers.jats_inline import running_text
from chartcite.readers.xml_tree import text_of

_PRINTED = ("ppub", "collection", "epub-ppub", "print")
_LANG = re.compile(r"[a-zA-Z]{2,3}(?:-[A-Za-z0-9]{2,8})?", re.ASCII)
_LICENCE = re.compile(
    r"https?://creativecommons\.org/(licenses|publicdomain)/([a-z0-9-]+)(?:/(\d\.\d))?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Front:
    """What the front says; `stated` holds the bibliographic fields under our names, as they stand there."""

    title: str
    kind: str
    lang: str
    time: When | None
    abstracts: tuple[ET.Element, ...]
    keywords: tuple[ET.Element, ...]
    stated: Mapping[str, object]


def read_front(article: ET.Element) -> Front:
    """Read the front of an article or sub-article; what it does not say is empty."""
    meta = article.find("front/article-meta")
    if meta is None:
        meta = article.find("front-stub")
    if meta is None:
        meta = ET.Element("article-meta")
    days = [_day(node) for node in meta.findall("pub-date")]
    shown = [day for node, day in zip(meta.findall("pub-date"), days, strict=True) if _is_printed(node)]
    lang = article.get("xml:lang") or ""
    return Front(
        title=_title(meta),
        kind=(article.get("article-type") or "").replace("-", " ").strip().capitalize()[:80],
        lang=lang if _LANG.fullmatch(lang) and lang != "und" else "",
        time=min((day for day in days if day), key=_earliest, default=None),
        abstracts=tuple(meta.findall("abstract") + meta.findall("trans-abstract")),
        keywords=tuple(meta.findall("kwd-group")),
        stated={
            "authors": _authors(meta),
            "year": next((day.text[:4] for day in [*shown, *days] if day), ""),
            "doi": _number(meta, "doi"),
            "pmid": _number(meta, "pmid"),
            "journal": text_of(article.find("front/journal-meta//journal-title")),
            "licence": licence_of(meta),
        },
    )


def _title(meta: ET.Element) -> str:
    parts = [meta.find("title-group/article-title"), meta.find("title-group/subtitle")]
    said = [running_text(part, leave=("xref",)) for part in parts if part is not None]
    return ": ".join(filter(None, said))


def _authors(meta: ET.Element) -> list[str]:
    found: list[str] = []
    for group in meta.findall("contrib-group"):
        for one in group.findall("contrib"):
            if one.get("contrib-type", "author") != "author":
                continue
            name = one.find("name") if one.find("name") is not None else one.find("name-alternatives/name")
            if name is not None:
                found.append(person(text_of(name.find("surname")), text_of(name.find("given-names"))))
            else:
                found.append(text_of(one.find("collab")) or text_of(one.find("string-name")))
    return [name for name in found if name]


def person(surname: str, given: str) -> str:
    """A name as references have it.

    >>> person("Aalto", "Riitta M."), person("Aalto", "R.-M."), person("Aalto", "")
    ('Aalto RM', 'Aalto RM', 'Aalto')
    """
    letters = re.sub(r"[\W\d_]", "", given)
    is_short = letters.isupper() and len(letters) <= 4
    short = letters if is_short else "".join(word[0] for word in re.findall(r"[^\W\d_]+", given))
    return f"{surname} {short}".strip()


def _number(meta: ET.Element, kind: str) -> str:
    return next((text_of(node) for node in meta.findall("article-id") if node.get("pub-id-type") == kind), "")


def _is_printed(node: ET.Element) -> bool:
    return (node.get("pub-type") or node.get("date-type") or node.get("publication-format") or "") in _PRINTED


def _day(node: ET.Element) -> When | None:
    parts = [text_of(node.find(tag)) for tag in ("year", "month", "day")]
    return day_of(*parts)


def day_of(year: str, month: str, day: str) -> When | None:
    """As precise as the source: a month or day that is none is left away.

    >>> str(day_of("2019", "3", "")), str(day_of("2019", "Mar", "2")), day_of("19", "", "")
    ('2019-03', '2019-03-02', None)
    """
    names = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
    in_digits = f"{names.index(month[:3].lower()) + 1}" if month[:3].lower() in names else month
    text = year
    for part in (in_digits, day):
        if not part.isascii() or not part.isdigit():
            break
        text += f"-{int(part):02}"
    for shorter in (text, text[:7], text[:4]):
        try:
            return When.parse(shorter)
        except ValueError:
            continue
    return None


def _earliest(day: When) -> tuple[str, int]:
    return day.text[:4], -len(day.text)


def licence_of(meta: ET.Element) -> str:
    """The licence by its short name; empty where the source names none that we know.

    >>> licence_of(ET.fromstring('<m><license href="https://creativecommons.org/licenses/by/4.0/"/></m>'))
    'CC BY 4.0'
    """
    places = [value for node in meta.iter() for value in (*node.attrib.values(), node.text or "")]
    for place in places:
        if found := _LICENCE.search(place):
            name = found[2].upper()
            short = "CC0" if found[1].lower() == "publicdomain" else f"CC {name}"
            return f"{short} {found[3]}".strip() if found[3] else short
    return ""
