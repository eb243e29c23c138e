"""Short form of many ids on one line: `web[1-9]`, `db2, web[1,3-5]`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d*)(\D*)\Z", re.DOTALL)
#: Maximum number of groups named in a line.
_NAMED = 6


def shortened(ids: Sequence[str], *, most: int = _NAMED) -> str:
    """Return ids as one line; ids that differ only in their last number are combined into ranges."""
    groups: dict[tuple[str, str], list[int]] = {}
    plain: list[str] = []
    for id in ids:
        found = _NUMBERED.match(id)
        if found is None or len(found[2]) > 9:
            plain.append(id)
        else:
            groups.setdefault((found[1], found[3]), []).append(int(found[2]))
    shown = sorted([*plain, *(_group(ends, sorted(set(numbers))) for ends, numbers in groups.items())])
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + more


def _group(ends: tuple[str, str], numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"{ends[0]}{numbers[0]}{ends[1]}"
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    words = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    return f"{ends[0]}[{','.join(words)}]{ends[1]}"
