"""Names that a compile has read, to find what must be compiled again after a change.

Names are paths in the tree (`web/init.sls`, even if there is no such file), local paths of SLS files,
LISTING, and `pillar:KEY` for top-level keys of pillar.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

#: Name for the list of all files in the tree.
LISTING = "*listing"
#: Name for the set of all top-level pillar keys.
WHOLE_PILLAR = "pillar:"


def of_pillar(key: object) -> str:
    """Return the name of a top-level key of pillar."""
    return f"{WHOLE_PILLAR}{key}"


class Uses:
    """Collector of names; blocks can be nested."""

    def __init__(self) -> None:
        self._open: list[set[str]] = []

    def note(self, *names: str) -> None:
        """Add names to the innermost block; do nothing outside of blocks."""
        if self._open:
            self._open[-1].update(names)

    @contextlib.contextmanager
    def collecting(self) -> Iterator[set[str]]:
        """Yield the set of names recorded in the block, which are added to the outer block at its end."""
        found: set[str] = set()
        self._open.append(found)
        try:
            yield found
        finally:
            self._open.pop()
            self.note(*found)
