"""Cache of minions' functions for searches, so that a minion is asked once for a name and not at each letter.

A list belongs to one minion, to the minion's version and to a name prefix; it also serves longer prefixes.
Bounds: number of functions in all lists, and age of a list, since users may add modules to minions.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

#: Maximum number of remembered functions, some 1 KiB each, and how long they are remembered (s).
MOST, KEPT = 10_000, 300.0
#: {name: description of the function}
Functions = Mapping[str, Any]


class _List(NamedTuple):
    version: str
    functions: Functions
    end: float


class FunctionLists:
    """Function lists by minion and name prefix; the least recently used list is dropped first."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lists: collections.OrderedDict[tuple[str, str], _List] = collections.OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        """Return the size of the cache: the number of functions, plus one for each list."""
        return self._size

    def get(self, id: str, version: str, word: str, ask: Callable[[], Functions]) -> Functions:
        """Return a minion's functions whose names begin with a word; `ask()` fetches them from the minion."""
        for length in range(len(word), 0, -1):
            place = (id, word[:length])
            known = self._lists.get(place)
            if known is None:
                continue
            if known.version == version and known.end > self._clock():
                self._lists.move_to_end(place)
                return {name: one for name, one in known.functions.items() if name.startswith(word)}
            self._drop(place)
        found = ask()
        self._keep((id, word), _List(version, found, self._clock() + KEPT))
        return found

    def _keep(self, place: tuple[str, str], new: _List) -> None:
        if place in self._lists:
            self._drop(place)
        if len(new.functions) > MOST:
            return
        self._lists[place] = new
        # Each list counts as one more entry, so that the number of empty lists is bounded, too.
        self._size += 1 + len(new.functions)
        while self._size > MOST:
            self._drop(next(iter(self._lists)))

    def _drop(self, place: tuple[str, str]) -> None:
        self._size -= 1 + len(self._lists.pop(place).functions)
