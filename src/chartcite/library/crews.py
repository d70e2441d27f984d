"""Workers elsewhere, where the settings name an engine for them."""

from __future__ import annotations

from ipaddress import ip_address

from chartcite.compute.port import Crew, Worker, text_would_leave
from chartcite.library.registry import find
from chartcite.library.settings import Settings


def crew_of(settings: Settings, worker: Worker, *, batch: int = 8) -> Crew:
    """Workers by the settings, each made as `worker` says; `batch` jobs go to one at a time.

    Raises:
        MissingExtra: the engine's library is not installed.
        NotConfigured: they are on other machines, and that was not allowed.
        ComputeFailed: none can be started.
    """
    s = settings
    if s.ray_address and not (s.allow_remote or _is_here(s.ray_address)):
        raise text_would_leave()
    crew: Crew = find("compute", s.compute).load(worker, s.jobs, s.ray_address, batch, may_leave=s.allow_remote)
    return crew


def _is_here(address: str) -> bool:
    host = address.removeprefix("ray://").rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
