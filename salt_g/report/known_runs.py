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
from collections.abc import Callable, Hashable, Iterable, Mapping
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
#: Reads assumed for a rendering whose imports differ.
UNKNOWN = frozenset(("function", "grain", "mine", "pillar"))


class KnownRun(NamedTuple):
    """Known part of a run; `keys` are those of its pure renderings, `others` of those to be observed."""

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
    at: float = 0.0


class KnownRuns:
    """Last runs for one master, by call."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._runs: dict[Hashable, KnownRun] = {}

    def of(self, call: Hashable, data_key: Hashable) -> KnownRun | None:
        """Return the known run of a call with these data."""
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


class RunComparison:
    """Run in comparison with the last one of its call: what is known of it, and what the next one will know.

    `has_all` is whether everything that the compilation has read so far is known.
    """

    def __init__(self, runs: KnownRuns | None, call: Hashable) -> None:
        self.known: KnownRun | None = None
        self.has_all = False
        self._runs = runs
        self._call = call
        self._data_key: Hashable = None
        self._held: tuple[object, object] = (None, None)
        #: Keys of the pure renderings, and of the others.
        self._keys: set[Hashable] = set()
        self._others: set[Hashable] = set()
        self._has_sources = self._differs = False
        #: Copies of files that the compilation has read, None before its end.
        self._compiled: frozenset[str] | None = None
        #: Reads of pure renderings, by SLS.
        self._names: dict[str, set[str]] = {}
        self._whole: dict[str, set[str]] = {}

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> KnownRun | None:
        """Take the data of the run and the objects by which calls hold them; return the run that is known."""
        if self._runs is None or self._data_key is not None:
            return None
        self._held = held
        self._data_key = _data_key(data)
        self.known = self._runs.of(self._call, self._data_key)
        self.has_all = self.known is not None and self.known.has_sources
        return self.known

    def is_known(self, key: Hashable, grains: object, pillar: object) -> bool:
        """Return whether a rendering is known."""
        known = self.known
        return known is not None and key in known.keys and self._is_of_run(grains, pillar)

    def observed_key(self, key: Hashable, grains: object, pillar: object) -> Hashable:
        """Return the key of a rendering that begins to be observed, None if it cannot become known."""
        self.has_all = False
        if key is None or self._data_key is None or not self._is_of_run(grains, pillar):
            self._others.add(None)
            return None
        return key

    def note(self, key: Hashable, owner: str, names: set[str], whole: set[str]) -> None:
        """Note what a rendering for an SLS has read that was observed."""
        if self.known is not None and key not in self.known.others:
            self.differs()
        if not _is_pure(names):
            self._others.add(key)
            return
        self._keys.add(key)
        self._names.setdefault(owner, set()).update(names)
        if whole:
            self._whole.setdefault(owner, set()).update(whole)

    def differs(self) -> None:
        """Note that this run is not like the known one, or has failed."""
        self._differs, self.has_all = True, False

    def is_imported_again(self, cached: str, content: bytes) -> bool:
        """Return whether a copy that a known rendering imports is the same."""
        if self.known is not None and self.known.copies.get(cached) == hash(content):
            return True
        self.differs()
        return False

    def end_compilation(self, copies: Iterable[str]) -> bool:
        """Note the copies that the compilation has read; return whether one of the known ones is missing."""
        if self._compiled is not None:
            return False
        self._compiled = frozenset(copies)
        if self.known is None or self.known.compiled <= self._compiled:
            return False
        self.differs()
        return True

    def note_sources(self, names: Mapping[str, set[str]], whole: Mapping[str, set[str]]) -> None:
        """Note all that was read up to the end of the compilation: known if all renderings were pure."""
        if not self._others:
            self._has_sources = True
            self._names = {owner: set(found) for owner, found in names.items()}
            self._whole = {owner: set(found) for owner, found in whole.items()}

    def give_up(self) -> None:
        """Make nothing known of this run."""
        self._runs = None

    def remember(
        self, files: Mapping[str, str], digests: Mapping[str, str], contents: Mapping[str, bytes]
    ) -> None:
        """Keep what is known of this run for the next one of its call; the last act."""
        if self._runs is None or self._data_key is None:
            return
        if self._differs or self._compiled is None:
            self._runs.keep(self._call, None)
        elif self.known is None:
            names = {owner: frozenset(found) for owner, found in self._names.items()}
            whole = {owner: frozenset(found) for owner, found in self._whole.items()}
            copies = {copy: hash(content) for copy, content in contents.items()}
            keys = frozenset(self._keys), frozenset(self._others)
            run = KnownRun(
                self._data_key, *keys, names, whole, self._has_sources, files, digests, copies, self._compiled
            )
            self._runs.keep(self._call, run)

    def _is_of_run(self, grains: object, pillar: object) -> bool:
        return grains is self._held[0] and pillar is self._held[1]


def _data_key(data: Mapping[str, Mapping[str, Any]]) -> Hashable:
    """Return a key of grains and pillar."""
    import hashlib  # Imported lazily: 3 ms.

    # What cannot be compared by its text, such as an object of a user's class, is another one each time.
    text = repr([dict(values) for values in data.values()])
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _is_pure(names: Iterable[str]) -> bool:
    """Return whether a rendering with these names reads the same with the same data."""
    return all(name in PURE for name in names if name.startswith(("function", "mine")))


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
