"""One thing that the doctor looks at, and what is said when looking fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from chartcite.core.errors import ChartciteError

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at."""

    name: str
    status: Status
    detail: str
    advice: str = ""

    def to_dict(self) -> dict[str, str]:
        """For `--json`."""
        return {"name": self.name, "status": self.status, "detail": self.detail, "advice": self.advice}


def guarded(name: str, check: Callable[[], Check]) -> Check:
    """The check, or why it could not be made."""
    try:
        return check()
    except ChartciteError as error:
        return Check(name, "fail", str(error), error.advice)
    except ImportError as error:
        return Check(
            name, "fail", f"a library cannot be loaded ({error.name})", "pip install --force-reinstall chartcite"
        )
