"""Work with large files beside the hub, so that a daemon's other greenlets go on.

Units: sizes in bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

#: From here on work with a file is worth a thread of its own.
LARGE = 16 << 20

T = TypeVar("T")


def unblocked(size: int, function: Callable[..., T], *args: object) -> T:
    """Call a function that reads or writes `size` bytes, in a thread when that takes long."""
    if size < LARGE:
        return function(*args)
    from salt_g.hub import offload  # gevent is slow to import and small files do without

    return offload(function, *args)
