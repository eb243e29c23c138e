"""Unsolicited returns, stored separately from the answers to jobs.

Any authenticated minion can send any number of them, so each minion has a few slots, which are filled in
turn.
Units: seconds, bytes.
"""

from __future__ import annotations

import collections

from salt_g.cache.banks import Banks
from salt_g.shapes.loads import ReturnLoad
from salt_g.wire.packing import pack_bus
from salt_g.wire.value_size import is_light

#: Bank of unsolicited returns, by the id of their sender and the slot number.
BANK = "unsolicited"
#: Number of slots of each minion, retention (s), and maximum size of a stored return (bytes).
PLACES = 32
SECONDS = 86400.0
LARGEST = 64 * 1024


class UnsolicitedReturns:
    """Storage for the last unsolicited returns of each minion."""

    def __init__(self, banks: Banks) -> None:
        self._banks = banks
        self._counts: collections.Counter[str] = collections.Counter()

    def keep(self, load: ReturnLoad) -> bool:
        """Store a return in place of the oldest one of its sender; return False if it is too large."""
        if not is_light(load, size=LARGEST) or len(pack_bus(load)) > LARGEST:
            return False
        id = load["id"]
        self._banks.store(BANK, f"{id}/{self._counts[id] % PLACES}", load, SECONDS)
        self._counts[id] += 1
        return True

    def prune(self) -> None:
        """Remove expired returns."""
        self._banks.clean_expired(BANK)
