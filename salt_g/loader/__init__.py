"""Plugin loader: index of files, `__virtual__` checks, function tables. Begin with `loader.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.loader.kinds import KINDS

if TYPE_CHECKING:
    from salt_g.loader.loader import Loader
    from salt_g.loader.table import FunctionTable

__all__ = ["KINDS", "FunctionTable", "Loader"]


def __getattr__(name: str) -> Any:
    # Imported lazily: the remote command line uses the argument parser and loads no plugin.
    if name == "Loader":
        from salt_g.loader.loader import Loader

        return Loader
    if name == "FunctionTable":
        from salt_g.loader.table import FunctionTable

        return FunctionTable
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
