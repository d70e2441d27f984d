"""What functions remember of the texts they were given, and how all of it is forgotten at once.

Rules are asked for the same sentence again and again, so many functions of `facts`, `verification` and `records` keep
their last results (`functools.lru_cache`). Those keep words of records, and go when a partition is deleted. They are
found rather than registered: a cache that nobody thought of cannot stay.
"""

from __future__ import annotations

import sys


def forget_remembered() -> int:
    """Empty the cache of every module-level function of chartcite that takes arguments; returns how many results went.

    Word lists, which take none, stay. Cost: a walk over the modules that are loaded, about a millisecond.
    """
    gone = 0
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "chartcite":
            continue
        for value in list(vars(module).values()):
            clear, code = (
                getattr(value, "cache_clear", None),
                getattr(getattr(value, "__wrapped__", 0), "__code__", None),
            )
            if clear is not None and code is not None and code.co_argcount:
                gone += value.cache_info().currsize
                clear()
    return gone
