"""Limits on the output and work of one rendering, with regular yields to other greenlets.

A template is a program, written by authors of pillar and states and fed with data from minions; in a daemon,
everything else waits while it runs.
Units: characters, steps of loops, bits.
Errors: OverflowError, as Jinja's sandbox raises for ranges; it becomes a render error.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable
from typing import Any

from jinja2.sandbox import safe_range

from salt_g.process.offload import yield_to_hub

#: Maximum length of a template's output, and of a text or list made by `*` (characters or items).
MAX_OUTPUT = 64 * 1024 * 1024
#: Maximum number of steps of all `range` calls in one rendering.
MAX_STEPS = 10_000_000
#: Maximum size of the result of `**` (bits).
MAX_BITS = 100_000
#: Number of output parts joined between two checks of the clock, and interval between yields to the hub (s).
_PARTS, _SLICE = 500, 0.005


class Bounds:
    """Resources used by one rendering."""

    def __init__(self) -> None:
        self._steps = 0
        self._began = time.monotonic()

    def range(self, *args: int) -> range:
        """Return a range; raise OverflowError when it, or all ranges together, are too long."""
        made = safe_range(*args)
        self._steps += len(made)
        if self._steps > MAX_STEPS:
            raise OverflowError(f"the ranges of this template have more than {MAX_STEPS} steps")
        self.pause()
        return made

    def join(self, parts: Iterable[str]) -> str:
        """Return the output of a template or macro; raise OverflowError when it is too long."""
        texts: list[str] = []
        size, parts = 0, iter(parts)
        while some := list(itertools.islice(parts, _PARTS)):
            size += sum(map(len, some))
            if size > MAX_OUTPUT:
                raise OverflowError(f"this template renders to more than {MAX_OUTPUT} characters")
            texts += some
            self.pause()
        return "".join(texts)

    def pause(self) -> None:
        """Yield to other greenlets if the interval has passed."""
        if time.monotonic() - self._began > _SLICE:
            yield_to_hub()
            self._began = time.monotonic()


def check_operator(operator: str, left: Any, right: Any) -> None:
    """Raise OverflowError when the result of `left * right` or `left ** right` would be too large."""
    if operator == "*" and _length(left, right) > MAX_OUTPUT:
        raise OverflowError(f"a product must not exceed {MAX_OUTPUT} characters or items")
    if operator == "**" and isinstance(left, int) and isinstance(right, int):
        bits = abs(left).bit_length() * abs(right)
        if bits > MAX_BITS:
            raise OverflowError(f"a power must not exceed {MAX_BITS} bits")


def _length(left: Any, right: Any) -> int:
    """Return the length of a repeated text or list, or 0 for other products."""
    if isinstance(right, (str, bytes, list, tuple)):
        left, right = right, left
    if isinstance(left, (str, bytes, list, tuple)) and isinstance(right, int):
        return len(left) * right
    return 0
