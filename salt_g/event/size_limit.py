"""Size limit of events (`max_event_size`).

The largest values are replaced first, so that the subject of an event remains.
Units: bytes, of packed data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any

from salt_g.shapes.loads import EventData, EventFields
from salt_g.wire.packing import pack_bus, pack_large
from salt_g.wire.value_size import is_light

#: Placeholder for a value that was too large.
TRIMMED = "VALUE_TRIMMED"
#: Values above these shares of the limit are replaced, step by step until the rest fits.
_SHARES = (0.5, 0.4, 0.3, 0.2, 0.1, 0.01, 0.0)
#: Values of these types are never larger than the placeholder.
_SMALL = (bool, int, float, type(None))
#: Size of the longest header of a packed text (bytes).
_HEADER = 5

_Place = tuple[dict[Any, Any], Any, int]


def trimmed(data: EventFields, limit: int, total: int | None = None) -> EventData:
    """Return a copy of `data` with its largest values replaced by TRIMMED until it fits, if possible.

    `total` is the size of the data, if known.
    """
    copy: EventData = _copied(data)
    marker = len(pack_bus(TRIMMED))
    places = sorted(
        (place for place in _leaves(copy, marker) if place[2] > marker), key=itemgetter(2), reverse=True
    )
    left = len(pack_large(copy)) if total is None else total
    number = 0
    for share in _SHARES:
        while number < len(places) and places[number][2] > limit * share:
            where, key, size = places[number]
            where[key] = TRIMMED
            left -= size - marker
            number += 1
        if left <= limit:
            break
    return copy


def _copied(data: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a copy of nested maps; all other values are shared."""
    return {key: _copied(value) if isinstance(value, Mapping) else value for key, value in data.items()}


def _leaves(data: dict[Any, Any], marker: int) -> Iterator[_Place]:
    """Yield (map, key, packed size) of the values that are not maps and may be larger than `marker`."""
    for key, value in data.items():
        kind = type(value)
        if kind is dict:
            yield from _leaves(value, marker)
        # Most values are short, and packing each of them would take longer than everything else.
        elif kind not in _SMALL and not (kind is str and 4 * len(value) + _HEADER <= marker):
            yield data, key, len(pack_bus(value) if is_light(value) else pack_large(value))
