"""Functions for a minion's own jobs, plugins and data, which never run on its resources.

Masters expect no returns of resources for these functions, and minions do not run them on resources, even if
a resource type provides one of them.
Source: resources specification, section 9.
"""

from __future__ import annotations

#: Modules that contain only such functions.
_ROOMS = frozenset(("beacons", "event", "mine", "minion", "saltutil", "schedule", "sys"))
#: Functions called by `salt-g cp`, whose globs select only minions.
_FUNCTIONS = frozenset(("cp.recv", "cp.recv_chunked"))


def is_minion_only(fun: str) -> bool:
    """Return whether a function runs on minions only, never on their resources."""
    return fun.partition(".")[0] in _ROOMS or fun in _FUNCTIONS
