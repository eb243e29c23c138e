"""Columns of minion data: the minions by the value of a grain or a part of pillar that targets use.

A target over a column compares each distinct value once instead of each minion: ten thousand minions have a
hundred roles. A column is built when a target first needs it, and follows the data of each minion from then
on.
Bounds: the `KEPT` most recently used columns. A column with too many values for its minions (addresses) saves
too little, so it is not kept, and its targets compare each minion.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from salt_g.match.minion_view import MinionView
from salt_g.match.single import match_single
from salt_g.process.offload import in_slices

#: Maximum number of columns, and of words in a target that uses a column.
KEPT, LONGEST_PATH = 16, 8
#: A column may have `FEW` values, or one value for every `SHARE` minions if that is more.
FEW, SHARE = 500, 4
#: Longest value that is used as a key itself (characters of text); longer ones are hashed, because minions
#: choose them.
_SHORT = 64
#: Part of a minion's data that a target type examines.
_PARTS = {
    "grain": "grains",
    "grain_pcre": "grains",
    "pillar": "pillar",
    "pillar_pcre": "pillar",
    "pillar_exact": "pillar",
}
#: Key for the minions without data.
_UNKNOWN = ""


class ChangingData(Protocol):
    """Interface to the master's data about each minion, see `salt_g/master/serving/minion_data.py`."""

    def get(self, id: str) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
        """Return (grains, pillar) of a minion, or None if no data of it is cached."""

    def watch(self, changed: Callable[[str | None], None]) -> None:
        """Call `changed(id)` after each change of a minion's data, with None when all may have changed."""


class _Asked(NamedTuple):
    """Part of the data (grains or pillar) and top-level names on which the match of a target depends."""

    part: str
    names: tuple[str, ...]


class _Values(NamedTuple):
    """One value of a column: data with this value, None for unknown data, and the minions that have it."""

    data: Mapping[str, Any] | None
    ids: set[str]


class DataColumns:
    """Columns over the data of all minions."""

    def __init__(self, data: ChangingData) -> None:
        self._data = data
        #: Columns by the part and names that they are about; None stands for one that has too many values.
        self._columns: OrderedDict[_Asked, _Column | None] = OrderedDict()
        data.watch(self._note)

    def matching(
        self, tgt: Any, tgt_type: str, accepted: frozenset[str], *, delimiter: str
    ) -> set[str] | None:
        """Return the matching accepted minions, including those without data; None if no column applies."""
        asked = _asked(tgt, tgt_type, delimiter)
        column = None if asked is None else self._column(asked, accepted)
        return None if column is None else column.matching(tgt, tgt_type, delimiter)

    def __len__(self) -> int:
        return sum(column is not None for column in self._columns.values())

    def _column(self, asked: _Asked, accepted: frozenset[str]) -> _Column | None:
        if asked not in self._columns:
            self._columns[asked] = _Column(asked)
            if len(self._columns) > KEPT:
                self._columns.popitem(last=False)
        self._columns.move_to_end(asked)
        column = self._columns[asked]
        if column is None or column.follow(accepted, self._data):
            return column
        if asked in self._columns:
            self._columns[asked] = None
        return None

    def _note(self, id: str | None) -> None:
        if id is None:
            self._columns.clear()
            return
        for column in self._columns.values():
            if column is not None:
                column.note(id)


class _Column:
    """Minions grouped by their values under some top-level names."""

    def __init__(self, asked: _Asked) -> None:
        self._asked = asked
        #: {minion to be examined again: mark of its change}
        self._stale: dict[str, object] = {}
        self._accepted: frozenset[str] = frozenset()
        self._values: dict[str | bytes, _Values] = {}
        self._key_of: dict[str, str | bytes] = {}

    def note(self, id: str) -> None:
        """Record that the data of a minion changed."""
        self._stale[id] = object()

    def follow(self, accepted: frozenset[str], data: ChangingData) -> bool:
        """Apply changed data; return whether the column is worth keeping. May yield to the hub."""
        if accepted is not self._accepted:
            self._stale |= dict.fromkeys(accepted ^ self._key_of.keys())
            self._accepted = accepted
        while self._stale:
            # While this loop yields, other greenlets may record changes and update the same column.
            for id, mark in in_slices(list(self._stale.items())):
                self._place(id, data.get(id) if id in accepted else None, is_accepted=id in accepted)
                if self._stale.get(id, self) is mark:
                    del self._stale[id]
                if len(self._values) > max(FEW, len(accepted) // SHARE):
                    return False
        return True

    def matching(self, tgt: Any, tgt_type: str, delimiter: str) -> set[str]:
        """Return the minions whose value matches; may yield to the hub."""
        found: set[str] = set()
        for values in in_slices([_Values(data, ids.copy()) for data, ids in self._values.values()]):
            if values.data is None or match_single(
                tgt, tgt_type, self._minion(values.data), delimiter=delimiter
            ):
                found |= values.ids
        return found

    def _minion(self, data: Mapping[str, Any]) -> MinionView:
        return MinionView("", grains=data) if self._asked.part == "grains" else MinionView("", pillar=data)

    def _place(
        self, id: str, known: tuple[Mapping[str, Any], Mapping[str, Any]] | None, *, is_accepted: bool
    ) -> None:
        before = self._key_of.pop(id, None)
        if before is not None:
            values = self._values[before]
            values.ids.discard(id)
            if not values.ids:
                del self._values[before]
        if is_accepted:
            data = None if known is None else self._decisive(known)
            key = _UNKNOWN if data is None else _key(data)
            self._key_of[id] = key
            self._values.setdefault(key, _Values(data, set())).ids.add(id)

    def _decisive(self, known: tuple[Mapping[str, Any], Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the part of a minion's data on which the match of targets over this column depends."""
        data = known[0] if self._asked.part == "grains" else known[1]
        return {name: data[name] for name in self._asked.names if name in data}


def _asked(tgt: Any, tgt_type: str, delimiter: str) -> _Asked | None:
    """Return the column for a target, None for one that may examine all names, or begins with a number."""
    part = _PARTS.get(tgt_type)
    words = str(tgt).split(delimiter)
    if part is None or not 1 < len(words) <= LONGEST_PATH or words[0] == "*":
        return None
    if words[0].removeprefix("-").isdigit():
        return None
    # A name may contain the delimiter: `a:b:c` looks for `a:b` and for `b` below `a`.
    return _Asked(part, tuple(delimiter.join(words[:end]) for end in range(1, len(words))))


def _key(data: Mapping[str, Any]) -> str | bytes:
    """Return a hashable value that is equal for equal data only."""
    text = repr(data)
    return text if len(text) <= _SHORT else hashlib.sha256(text.encode(errors="surrogatepass")).digest()
