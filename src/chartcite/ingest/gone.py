"""Sources that were read before and are not in their folder now. Their documents stay: nobody asked to delete them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from chartcite.ingest.routing import Route, place
from chartcite.ingest.walk import SourceFile, decodable
from chartcite.store.writer import Writer


def gone(folders: Iterable[Path], sources: Sequence[SourceFile], route: Route, writer: Writer) -> list[str]:
    """Names of what an earlier ingest read whole from these folders to the same place, and that is not there now."""
    here = {source.name for source in sources}
    remembered = [(name, target) for name, target in writer.sources(route.target) if name not in here]
    roots = [decodable(Path(os.path.realpath(folder))) for folder in folders if folder.is_dir()]
    return sorted(
        name for name, target in remembered if any(target == place(route, f"{root}/{name}") for root in roots)
    )
