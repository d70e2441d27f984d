"""References between FHIR resources, resolved inside one source; nothing outside it is ever opened."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chartcite.core.errors import CorruptSource, UnsupportedFormat
from chartcite.readers.fhir_access import Node

# `Patient/x`, `https://server/fhir/Patient/x/_history/2`
_RELATIVE = re.compile(r"(?:^|/)(?P<type>[A-Z][A-Za-z]+)/(?P<id>[\w.~:-]{1,128})(?:/_history/[^/]+)?$", re.ASCII)
_SCHEME = re.compile(r"(?P<scheme>https?|ftp|file|data|urn):", re.IGNORECASE)


@dataclass(slots=True)
class References:
    """What the resources of a source have said about each other so far."""

    by_url: dict[str, tuple[str, str]] = field(default_factory=dict)
    encounter_starts: dict[str, str] = field(default_factory=dict)
    binaries: dict[str, Node] = field(default_factory=dict)

    def learn(self, resource: Node, full_url: str = "", *, keep_binaries: bool = False) -> None:
        """Note a resource that others may point at; skips what is broken, which is reported where it is read."""
        try:
            kind, identity = resource.text("resourceType"), resource.text("id")
            start = resource.node("period").text("start") if kind == "Encounter" else ""
        except CorruptSource:
            return
        if full_url:
            self.by_url[full_url] = (kind, identity or full_url.rpartition(":")[2].rpartition("/")[2])
        if start and identity:
            self.encounter_starts[identity] = start
        if keep_binaries and kind == "Binary":
            self.binaries[f"Binary/{identity}"] = resource
            if full_url:
                self.binaries[full_url] = resource

    def identity(self, reference: str, kind: str) -> str:
        """The id a reference to a resource of this kind ends in; empty when it cannot be resolved."""
        if reference in self.by_url:
            found_kind, found = self.by_url[reference]
        elif match := _RELATIVE.search(reference):
            found_kind, found = match["type"], match["id"]
        else:
            return ""
        return found if found_kind == kind else ""

    def binary(self, url: str, owner: Node) -> Node:
        """The Binary an attachment points at: contained in its resource, or beside it in the bundle.

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
        scheme = _SCHEME.match(url)
        kind = f"an address ({scheme['scheme'].lower()})" if scheme else "another source"
        raise UnsupportedFormat(
            f"the attachment is at {kind}; chartcite opens nothing outside the source",
            "export the notes with their attachments inline",
        )
