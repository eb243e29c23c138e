"""Keep events below `max_event_size`.

Why its own file: the largest values give way first, so that what an event is about stays.
Units: bytes, of packed data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.wire.packing import pack_bus

#: What stands for a value that was too large.
TRIMMED = "VALUE_TRIMMED"
#: Values above these shares of the limit go, one step after the other until the rest fits.
_SHARES = (0.5, 0.4, 0.3, 0.2, 0.1, 0.01, 0.0)

_Place = tuple[dict[Any, Any], Any, int]


def trimmed(data: Mapping[str, Any], limit: int) -> dict[str, Any]:
    """Return a copy of `data` in which the largest values are TRIMMED until it fits, if it can."""
    copy: dict[str, Any] = _copied(data)
    places = list(_leaves(copy))
    total = len(pack_bus(copy))
    marker = len(pack_bus(TRIMMED))
    for share in _SHARES:
        for where, key, size in places:
            if size > max(marker, limit * share) and where[key] != TRIMMED:
                where[key] = TRIMMED
                total -= size - marker
        if total <= limit:
            break
    return copy


def _copied(data: Mapping[Any, Any]) -> dict[Any, Any]:
    """Copy maps inside of maps; what is in them is shared."""
    return {key: _copied(value) if isinstance(value, Mapping) else value for key, value in data.items()}


def _leaves(data: dict[Any, Any]) -> Iterator[_Place]:
    """Yield (map, key, packed size) of all values that are no maps."""
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _leaves(value)
        else:
            yield data, key, len(pack_bus(value))
