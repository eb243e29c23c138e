"""Functions that look after a minion's jobs, plugins and data, and never go to what it manages.

Why its own file: masters expect no answer of a resource to them, and minions give them to none; a type may
provide one of them all the same.
Source: resources specification, section 9.
"""

from __future__ import annotations

#: Modules of such functions.
_ROOMS = frozenset(("beacons", "event", "mine", "minion", "saltutil", "schedule", "sys"))


def is_housekeeping(fun: str) -> bool:
    """Return whether a function is for minions and never for what they manage."""
    return fun.partition(".")[0] in _ROOMS
