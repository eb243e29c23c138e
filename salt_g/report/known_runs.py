"""Runs whose reads are known: what a call of this machine read the last time, while nothing has changed.

A template depends on its text, on what it imports, on pillar and grains, as long as it calls no other
functions than `PURE` ones. With all of that unchanged it reads the same, so it is rendered without being
observed: that takes longer than the look-ups themselves. All others are observed in each run. Where anything
has changed, the run counts as having read what it read before, too, and the next one is observed as a whole.
Shapes: a key of a rendering is whatever decides what it reads, besides pillar and grains; names as in
`reads.py`, by SLS.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

#: Calls whose runs are kept for one master, their names together, and for how long: templates may also depend
#: on the clock, or on settings.
MOST, MOST_NAMES, KEPT_FOR = 16, 50_000, 86400.0
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
#: What a rendering may have read whose imports differ.
UNKNOWN = frozenset(("function", "grain", "mine", "pillar"))


def is_pure(names: set[str]) -> bool:
    """Return whether a rendering with these names reads the same with the same data."""
    return all(name in PURE for name in names if name.startswith(("function", "mine")))


class KnownRun(NamedTuple):
    """What is known of a run; `keys` are those of its pure renderings, `others` of those to be observed."""

    data_key: Hashable
    keys: frozenset[Hashable]
    others: frozenset[Hashable]
    #: Names that pure renderings read, and with `has_sources` all of the compilation.
    names: Mapping[str, frozenset[str]]
    whole: Mapping[str, frozenset[str]]
    has_sources: bool
    files: Mapping[str, str]
    digests: Mapping[str, str]
    #: {cached copy: digest of its content}
    copies: Mapping[str, int]
    #: Those of the compilation.
    compiled: frozenset[str]
    at: float


class KnownRuns:
    """Last runs for one master, by call."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._runs: dict[Hashable, KnownRun] = {}

    def of(self, call: Hashable, data_key: Hashable) -> KnownRun | None:
        """Return what is known of a call with these data."""
        found = self._runs.get(call)
        if found is None or found.data_key != data_key or self._clock() - found.at > KEPT_FOR:
            return None
        return found

    def keep(self, call: Hashable, run: KnownRun | None) -> None:
        """Keep an observed run in place of the last one of its call; None forgets that."""
        self._runs.pop(call, None)
        if run is None:
            return
        self._runs[call] = run._replace(at=self._clock())
        while len(self._runs) > MOST or sum(map(_size, self._runs.values())) > MOST_NAMES:
            del self._runs[next(iter(self._runs))]


def _size(run: KnownRun) -> int:
    return sum(map(len, run.names.values()))


def data_key(data: Mapping[str, Mapping[str, Any]]) -> Hashable:
    """Return a key of grains and pillar."""
    import hashlib  # Imported lazily: 3 ms.

    # What cannot be compared by its text, such as an object of a user's class, is another one each time.
    text = repr([dict(values) for values in data.values()])
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()


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

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains as they are."""
        return values

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> None:
        """Note nothing: a run inside of a rendering is that of a function which is not pure."""

    def sources(self, note: Callable[[], bool]) -> None:
        """Note nothing, as `begin`."""

    def known(self, key: Hashable, grains: object, pillar: object) -> KnownRendering:
        """Return this record: renderings inside of a known one are known, too."""
        return self

    def rendering(
        self, owner: str, key: Hashable, grains: object, pillar: object
    ) -> AbstractContextManager[None]:
        """Return a block in which nothing changes."""
        return contextlib.nullcontext()

    def within(self, owner: str) -> AbstractContextManager[None]:
        """Return a block in which nothing changes."""
        return contextlib.nullcontext()

    def paused(self) -> AbstractContextManager[None]:
        """Return a block in which nothing changes."""
        return contextlib.nullcontext()
