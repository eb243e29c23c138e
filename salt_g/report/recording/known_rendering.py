"""Renderings whose reads are known, and the record inside of one.

Shapes: names as in `reads.py`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

#: Functions whose results depend on pillar, grains and their arguments alone.
PURE = frozenset(
    f"function:{name}"
    for name in (
        *("config.get", "config.option", "defaults.deepcopy", "defaults.merge", "defaults.update"),
        *("grains.filter_by", "grains.get", "grains.has_value", "grains.item", "grains.items"),
        *("match.compound", "match.glob", "match.grain", "match.list", "match.pcre", "match.pillar"),
        *("pillar.get", "pillar.keys", "slsutil.boolstr", "slsutil.merge", "slsutil.merge_all"),
        *("slsutil.update", "log.debug", "log.info", "log.warning", "log.error", "test.echo"),
    )
)
#: Most names that are remembered as of functions, or not.
_REMEMBERED = 20_000


class Rendering(NamedTuple):
    """What a rendering has read for an SLS; `imports` are the cached copies of what it imports."""

    owner: str
    names: frozenset[str]
    #: Those of the names below which everything was read.
    whole: frozenset[str]
    imports: frozenset[str]

    def joined(self, other: Rendering) -> Rendering:
        """Return what this one and another one of the same template have read."""
        return Rendering(
            self.owner, self.names | other.names, self.whole | other.whole, self.imports | other.imports
        )


def is_pure(names: Iterable[str]) -> bool:
    """Return whether a rendering with these names reads the same with the same data."""
    return not any(map(_is_outside, names))


@functools.lru_cache(maxsize=_REMEMBERED)
def _is_outside(name: str) -> bool:
    return name.startswith(("function", "mine")) and name not in PURE


class KnownRendering:
    """Record inside of a rendering that is known (`services.read_notes.ReadNotes`)."""

    is_known = True
    owner = ""

    def __init__(self, imported: Callable[[str, bytes], None]) -> None:
        """Initialize; `imported` takes the cached copies that are imported, with their content."""
        self.here: set[str] = set()
        self.content = imported

    def name(self, name: str, owner: str | None = None) -> None:
        """Note nothing: the names are known."""

    def path(self, path: str) -> None:
        """Note nothing."""

    def whole(self, path: str) -> None:
        """Note nothing."""

    def file(self, path: str, saltenv: str, cached: str = "", *, owner: str = "") -> None:
        """Note nothing."""

    def digest(self, path: str, saltenv: str, digest: str) -> None:
        """Note nothing."""

    def outside(self) -> None:
        """Note nothing: a known rendering reads nothing else."""

    def is_as_known(self) -> bool:
        """Return True: the rendering around compares imports."""
        return True

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains as they are."""
        return values

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> None:
        """Note nothing: a run inside of a rendering is that of a function which is not pure."""

    def sources(self, note: Callable[[], bool]) -> None:
        """Note nothing, as `begin`."""

    def known(self, key: str, grains: object, pillar: object) -> KnownRendering:
        """Return this record: renderings inside of a known one are known, too."""
        return self

    def rendering(
        self, owner: str, key: str | None, grains: object, pillar: object
    ) -> AbstractContextManager[None]:
        """Return a block in which nothing changes."""
        return contextlib.nullcontext()

    def within(self, owner: str) -> AbstractContextManager[None]:
        """Return a block in which nothing changes."""
        return contextlib.nullcontext()

    def paused(self) -> AbstractContextManager[None]:
        """Return a block in which nothing changes."""
        return contextlib.nullcontext()
