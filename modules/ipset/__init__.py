"""Sets of addresses, networks and ports of the kernel's packet filter, managed by ipset (`ipset.*`).

Begin with `sets.py`, then `entries.py` (their entries) and `elements.py` (whether a set covers an entry).
Errors are returned as text: `Error: …`, or ipset's own message. A `family` is `ipv4` or `ipv6`; it has an
effect only when a set is created.
Source: ipset(8).
"""

from __future__ import annotations

from salt_g.modules._required import hint
from salt_g.modules.ipset.entries import add, check, delete, flush, test
from salt_g.modules.ipset.sets import check_set, delete_set, list_sets, new_set, rename_set, version
from salt_g.process.command import which

__all__ = [
    "add",
    "check",
    "check_set",
    "delete",
    "delete_set",
    "flush",
    "list_sets",
    "new_set",
    "rename_set",
    "test",
    "version",
]


def __virtual__() -> bool | tuple[bool, str]:
    if which("ipset"):
        return True
    why = "The ipset execution modules cannot be loaded: ipset binary not in path."
    return False, why + hint("ipset")
