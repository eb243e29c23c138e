"""Known renderings, whose reads were observed in an earlier run, and the recorder used inside one.

Shapes: names as in `reads.py`.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

#: Functions whose results depend only on pillar, grains and their arguments.
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
#: Maximum number of names for which the result of `_is_outside` is cached.
_REMEMBERED = 20_000


class RenderingReads(NamedTuple):
    """Reads of one rendering for an SLS; `imports` are the cached copies of the files it imports."""

    owner: str
    names: frozenset[str]
    #: The subset of `names` below which everything was read.
    whole: frozenset[str]
    imports: frozenset[str]

    def joined(self, other: RenderingReads) -> RenderingReads:
        """Return the combined reads of this and another rendering of the same template."""
        return RenderingReads(
            self.owner, self.names | other.names, self.whole | other.whole, self.imports | other.imports
        )


def is_pure(names: Iterable[str]) -> bool:
    """Return whether these names include no mine data and no functions other than `PURE` ones."""
    return not any(map(_is_outside, names))


@functools.lru_cache(maxsize=_REMEMBERED)
def _is_outside(name: str) -> bool:
    return name.startswith(("function", "mine")) and name not in PURE


class KnownRendering:
    """Recorder used inside a known rendering; implements `services.read_notes.ReadNotes`."""

    is_known = True
    owner = ""

    def __init__(self, imported: Callable[[str, bytes], None]) -> None:
        """Initialize; `imported` receives the path and content of each cached copy that is imported."""
        self.here: set[str] = set()
        self.content = imported

    def name(self, name: str, owner: str | None = None) -> None:
        """Do nothing because the names are already known."""

    def path(self, path: str) -> None:
        """Do nothing."""

    def whole(self, path: str) -> None:
        """Do nothing."""

    def file(self, path: str, saltenv: str, cached: str = "", *, owner: str = "") -> None:
        """Do nothing."""

    def digest(self, path: str, saltenv: str, digest: str) -> None:
        """Do nothing."""

    def outside(self) -> None:
        """Do nothing because a known rendering reads nothing else."""

    def is_as_known(self) -> bool:
        """Return True because the enclosing rendering compares the imports."""
        return True

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains unchanged."""
        return values

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> None:
        """Do nothing because only an impure function can begin a run inside a rendering."""

    def sources(self, note: Callable[[], bool]) -> None:
        """Do nothing, for the same reason as `begin`."""

    def known(self, key: str, grains: object, pillar: object) -> KnownRendering:
        """Return this recorder because renderings inside a known one are known, too."""
        return self

    def rendering(
        self, owner: str, key: str | None, grains: object, pillar: object
    ) -> AbstractContextManager[None]:
        """Return a context manager that changes nothing."""
        return contextlib.nullcontext()

    def within(self, owner: str) -> AbstractContextManager[None]:
        """Return a context manager that changes nothing."""
        return contextlib.nullcontext()

    def paused(self) -> AbstractContextManager[None]:
        """Return a context manager that changes nothing."""
        return contextlib.nullcontext()
