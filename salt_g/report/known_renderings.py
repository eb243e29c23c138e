"""Renderings whose reads are known from an earlier run of this machine.

A template depends on its text, on what it imports, on pillar and grains, as long as it calls no other
functions than `PURE` ones. With all of that unchanged it reads the same, so it is rendered without being
observed: that takes longer than the look-ups themselves. Files are noted in any case. Where something that it
imports differs, it counts as reading everything this once, and is observed the next time.
Shapes: names as in `reads.py`; a key is whatever decides what a rendering reads.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from salt_g.report.reads import Reads

#: Renderings and names kept for one master, and for how long: templates may read the clock, or settings, too.
MOST, MOST_NAMES, KEPT_FOR = 5_000, 50_000, 86400.0
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
#: What a rendering has read whose imports differ.
_UNKNOWN = frozenset(("function", "grain", "mine", "pillar"))


class Known(NamedTuple):
    """Reads of one rendering, and digests of the cached copies that it imported."""

    names: frozenset[str]
    whole: frozenset[str]
    imports: dict[str, int]
    at: float
    #: Not empty when an import has changed: the next rendering is observed.
    is_over: list[bool]


class KnownRenderings:
    """Renderings of the state runs for one master, and the pillar and grains of the present run."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.now = 0.0
        self._known: dict[Hashable, Known] = {}
        self._names = 0

    def get(self, key: Hashable) -> Known | None:
        """Return what is known of a rendering."""
        found = self._known.get(key)
        return found if found is not None and not found.is_over and self.now - found.at < KEPT_FOR else None

    def begin(self, grains: Mapping[str, Any], pillar: Mapping[str, Any]) -> Hashable:
        """Return a key of the data of a run."""
        import hashlib  # Imported lazily: 3 ms.

        self.now = self._clock()
        # What cannot be compared by its text, such as an object of a user's class, is another one each time.
        text = repr((dict(grains), dict(pillar)))
        return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()

    def note(self, key: Hashable, names: set[str], whole: set[str], imports: dict[str, int]) -> None:
        """Note an observed rendering, unless it may read something else the next time."""
        if not all(name in PURE for name in names if name.startswith(("function", "mine"))):
            return
        if len(self._known) >= MOST or self._names > MOST_NAMES:
            self._known.clear()
            self._names = 0
        self._known[key] = Known(frozenset(names), frozenset(whole), imports, self.now, [])
        self._names += len(names)


class KnownRendering:
    """Block of a rendering that is known, and the record inside of it (`services.read_notes.ReadNotes`)."""

    __slots__ = ("_known", "_reads", "_seen", "owner")
    is_known = True

    def __init__(self, reads: Reads, owner: str, known: Known) -> None:
        self.owner = owner
        self._reads = reads
        self._known = known
        #: Copies that were imported, with the digests of their content.
        self._seen: dict[str, int] = {}

    @property
    def here(self) -> set[str]:
        """Return no names: nobody asks for them."""
        return set()

    @property
    def notes(self) -> KnownRendering:
        """Return the record inside."""
        return self

    def __enter__(self) -> KnownRendering:
        return self

    def __exit__(self, *error: object) -> None:
        known = self._known
        if self._seen == known.imports:
            self._reads.add(self.owner, known.names, known.whole)
        else:
            known.is_over.append(True)
            self._reads.add(self.owner, known.names | _UNKNOWN, known.whole | _UNKNOWN)

    def name(self, name: str, owner: str | None = None) -> None:
        """Note nothing: the names are known."""

    def path(self, path: str) -> None:
        """Note nothing."""

    def whole(self, path: str) -> None:
        """Note nothing."""

    def file(self, path: str, saltenv: str, cached: str = "", *, owner: str = "") -> None:
        """Note a file of the file server."""
        with self._reads.within(self.owner):
            self._reads.file(path, saltenv, cached)

    def digest(self, path: str, saltenv: str, digest: str) -> None:
        """Note the digest of a file."""
        self._reads.digest(path, saltenv, digest)

    def content(self, cached: str, content: bytes) -> None:
        """Note what was imported, and compare it."""
        self._reads.content(cached, content)
        self._seen[cached] = hash(content)

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains as they are."""
        return values

    def begin(self, grains: Mapping[str, Any], pillar: Mapping[str, Any]) -> None:
        """Note nothing: a run inside of a rendering is that of a function which is not pure."""

    def observe_all(self) -> None:
        """Change nothing for this rendering."""

    def rendering(self, owner: str, key: Hashable, grains: object, pillar: object) -> Inside:
        """Return the block of a rendering inside of this one, whose names are known too."""
        return Inside(self)

    def within(self, owner: str) -> AbstractContextManager[None]:
        """Return a block in which nothing changes."""
        return contextlib.nullcontext()

    def paused(self) -> AbstractContextManager[None]:
        """Return a block in which nothing changes: nothing is noted anyway."""
        return contextlib.nullcontext()


class Inside:
    """Block of a rendering inside of a known one."""

    def __init__(self, notes: KnownRendering) -> None:
        self.notes = notes

    def __enter__(self) -> Inside:
        return self

    def __exit__(self, *error: object) -> None:
        """Leave."""
