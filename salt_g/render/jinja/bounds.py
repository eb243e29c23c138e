"""How much one template may make, and that others have their turn while it does.

Why its own file: a template is a program, written by whoever writes pillar and states and fed with what
minions say, and in a daemon it runs where all others wait.
Units: characters, steps of loops, bits.
Errors: what Jinja's sandbox raises for ranges, OverflowError, which becomes a render error.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable
from typing import Any

from jinja2.sandbox import safe_range

from salt_g.process.offload import yield_to_hub

#: Most that a template renders to (characters), and longest text or list that `*` makes.
MAX_OUTPUT = 64 * 1024 * 1024
#: Steps that all `range` of one rendering have together.
MAX_STEPS = 10_000_000
#: Largest number that `**` makes (bits).
MAX_BITS = 100_000
#: Parts of output that are joined between two looks at the clock, and how long others wait at most (s).
_PARTS, _SLICE = 500, 0.005


class Bounds:
    """What one rendering has used up."""

    def __init__(self) -> None:
        self._steps = 0
        self._began = time.monotonic()

    def range(self, *args: int) -> range:
        """Return a range; raises OverflowError when it, or all of them together, are too long."""
        made = safe_range(*args)
        self._steps += len(made)
        if self._steps > MAX_STEPS:
            raise OverflowError(f"the ranges of this template have more than {MAX_STEPS} steps")
        self.pause()
        return made

    def join(self, parts: Iterable[str]) -> str:
        """Return the output of a template or macro; raises OverflowError when it is too long."""
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
        """Let others run if it is time to."""
        if time.monotonic() - self._began > _SLICE:
            yield_to_hub()
            self._began = time.monotonic()


def check_operator(operator: str, left: Any, right: Any) -> None:
    """Raise OverflowError when `left * right` or `left ** right` would be out of all proportion."""
    if operator == "*" and _length(left, right) > MAX_OUTPUT:
        raise OverflowError(f"a product of more than {MAX_OUTPUT} characters or items")
    if operator == "**" and isinstance(left, int) and isinstance(right, int):
        bits = abs(left).bit_length() * abs(right)
        if bits > MAX_BITS:
            raise OverflowError(f"a power of more than {MAX_BITS} bits")


def _length(left: Any, right: Any) -> int:
    """Return how long a repeated text or list is, 0 for other products."""
    if isinstance(right, (str, bytes, list, tuple)):
        left, right = right, left
    if isinstance(left, (str, bytes, list, tuple)) and isinstance(right, int):
        return len(left) * right
    return 0
