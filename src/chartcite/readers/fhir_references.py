"""References between FHIR resources, resolved inside one source; nothing outside it is ever opened."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from chartcite.core.errors import CorruptSource, UnsupportedFormat
from chartcite.readers.apart import Apart
from chartcite.readers.embedded import Body
from chartcite.readers.fhir_access import Node
from chartcite.readers.fhir_beside import Beside
from chartcite.readers.fhir_values import concept, line

# `Patient/x`, `https://server/fhir/Patient/x/_history/2`
_RELATIVE = re.compile(
    r"(?:^|(?P<base>.*)/)(?P<type>[A-Z][A-Za-z]+)/(?P<id>[\w.~:-]{1,128})(?:/_history/[^/]+)?$", re.ASCII
)
_SCHEME = re.compile(r"(?P<scheme>https?|ftp|file|data|urn):", re.IGNORECASE)


@dataclass(slots=True)
class References:
    """What the resources of a source have said about each other so far."""

    by_url: dict[str, tuple[str, str]] = field(default_factory=dict)
    encounter_starts: dict[str, str] = field(default_factory=dict)
    binaries: dict[str, Node] = field(default_factory=dict)
    medications: dict[str, str] = field(default_factory=dict)
    bases: set[str] = field(default_factory=set)
    owners: dict[tuple[str, str], str] = field(default_factory=dict)
    ambiguous: set[tuple[str, str]] = field(default_factory=set)
    visitors: dict[str, str] = field(default_factory=dict)
    beside: Beside | None = None
    apart: Apart | None = None

    def learn(self, resource: Node, full_url: str = "", *, keep_binaries: bool = False) -> None:
        """Note a resource that others may point at; skips what is broken, which is reported where it is read."""
        try:
            kind, identity = resource.text("resourceType"), resource.text("id")
            start = resource.node("period").text("start") if kind == "Encounter" else ""
            medication = concept(resource.node("code")) if kind == "Medication" else ""
            whose = resource.node("subject").text("reference") if kind == "Encounter" else ""
        except CorruptSource:
            return
        if full_url:
            self.by_url[full_url] = (kind, identity or full_url.rpartition(":")[2].rpartition("/")[2])
            if (found := _RELATIVE.search(full_url)) and found["base"]:
                self.bases.add(found["base"])
                if self.owners.setdefault((kind, identity), found["base"]) != found["base"]:
                    self.ambiguous.add((kind, identity))
        if medication:
            self.medications |= dict.fromkeys(
                filter(None, (full_url, identity and f"Medication/{identity}")), medication
            )
        if start and identity:
            self.encounter_starts[identity] = start
        if kind == "Encounter" and identity and whose:
            self.visitors[identity] = whose
        if keep_binaries and kind == "Binary":
            self.binaries[f"Binary/{identity}"] = resource
            if full_url:
                self.binaries[full_url] = resource

    def identity(self, reference: str, kind: str) -> str:
        """The id a reference to a resource of this kind ends in; empty when it cannot be resolved.

        An address on another server than the source's own is not resolved: its `Patient/1` is another patient. Nor is
        an id that two servers of the source give to two resources.
        """
        if reference in self.by_url:
            found_kind, found = self.by_url[reference]
        elif match := _RELATIVE.search(reference):
            found_kind, found = match["type"], match["id"]
            if match["base"] and match["base"] not in self.bases:
                if self.bases:
                    return ""
                self.bases.add(match["base"])
        else:
            return ""
        return found if found_kind == kind and (kind, found) not in self.ambiguous else ""

    def is_of_another(self, encounter: str, patient: str) -> bool:
        """Whether the encounter that a patient's resource names is known to be another patient's."""
        whose = self.visitors.get(self.identity(encounter, "Encounter"), "")
        owner = self.identity(whose, "Patient") if whose else ""
        return bool(owner) and owner != patient

    def medication(self, reference: Node, owner: Node) -> str:
        """What a referenced Medication is called: contained, beside it in the source, or as the reference shows it.

        Raises:
            UnsupportedFormat: none of these.
        """
        target = reference.text("reference")
        if target.startswith("#"):
            for contained in owner.nodes("contained"):
                if contained.text("id") == target[1:] and contained.text("resourceType") == "Medication":
                    return concept(contained.node("code"))
        identity = self.identity(target, "Medication")
        named = self.medications.get(target if ":" in target else "") or (
            self.medications.get(f"Medication/{identity}") if identity else ""
        )
        named = named or line(reference.text("display"))
        if not named:
            raise UnsupportedFormat(
                "its medication is a reference to a resource that is not in the source",
                "export Medication resources in the same file, before what refers to them",
            )
        return named

    def binary(self, url: str, owner: Node) -> Node:
        """The Binary an attachment points at: contained in its resource, in the bundle, or beside it in the folder.

        Raises:
            UnsupportedFormat: it is anywhere else.
        """
        if url.startswith("#"):
            for contained in owner.nodes("contained"):
                if contained.text("id") == url[1:] and contained.text("resourceType") == "Binary":
                    return contained
            raise UnsupportedFormat("the attachment points at a contained Binary that is not there")
        if url in self.binaries:
            return self.binaries[url]
        if found := self._beside(url):
            return found
        scheme = _SCHEME.match(url)
        kind = f"an address ({scheme['scheme'].lower()})" if scheme else "another source"
        raise UnsupportedFormat(
            f"the attachment is at {kind}; chartcite opens nothing outside the source",
            "export the notes with their attachments inline",
        )

    def read_pages(self, data: bytes, name: Literal["pdf", "docx", "rtf"]) -> Body:
        """The text of an attachment in a format of pages.

        Raises:
            ReadError: as the format's reader; or there is nothing to read it apart with.
        """
        if self.apart is None:
            raise UnsupportedFormat(f"format of the attachment not supported yet ({name})")
        return self.apart.body(data, name)

    def _beside(self, url: str) -> Node | None:
        """What the folder has for a url, without leaving it: a Binary by its id, or a file at a relative path."""
        if self.beside is None:
            return None
        identity = self.identity(url, "Binary")
        found = self.beside.binary(identity) if identity else None
        return found if found or _SCHEME.match(url) else self.beside.file(url)
