"""Settings of the master."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.data.nested import traverse

_MISSING = object()


def get(key: str, default: Any = "", delimiter: str = ":") -> Any:
    """Return a setting, or `default` if it is missing; `delimiter` separates the keys of nested settings.

    Example::

        salt-g run config.get file_roots:base
    """
    found = traverse(opts.copy(), key, _MISSING, delimiter=delimiter)
    return default if found is _MISSING else found
