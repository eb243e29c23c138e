"""Known runs: the reads of earlier state runs on this machine, reused when the same call runs again.

What a template reads depends only on its text, its imports, pillar and grains, as long as it calls only
`PURE` functions. While the values that it reads are unchanged, it is rendered without being observed, because
observing takes longer than the look-ups themselves. All other templates are observed in each run.
While nothing has changed, a run begins with all names of the last run of its call. After a change, these
names stay in the run's read-set, and the next run records its files again; known renderings stay known.
Shapes: the key of a rendering is a text with everything that decides what it reads, except pillar and grains;
names as in `reads.py`, by SLS.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from salt_g.report.recording.known_rendering import RenderingReads, is_pure
from salt_g.report.recording.run_data import RunData, tops_of

#: Maximum number of calls whose runs are kept for one master, of names in all these runs, and maximum age (s)
#: of a run, which is limited because templates may also depend on the clock, or on settings.
MOST, MOST_NAMES, KEPT_FOR = 16, 50_000, 86400.0
#: Reads assumed for a known rendering whose imports differ and that fails before it can be observed.
UNKNOWN = frozenset(("function", "grain", "mine", "pillar"))


#: {SLS: (names, the subset that was read as a whole)}
AllNames = Mapping[str, tuple[frozenset[str], frozenset[str]]]


class KnownRun(NamedTuple):
    """Reads that later runs can reuse; `others` are the keys of renderings to observe in every run."""

    #: Digests of the run's data, {kind: digest} and {top that was read: digest}, see `RunData`.
    data: Mapping[str, str]
    tops: Mapping[str, str]
    renderings: Mapping[str, RenderingReads]
    others: frozenset[str | None]
    #: Names read by the compilation, without those of reused `renderings`; {} unless `has_sources`.
    names: Mapping[str, frozenset[str]]
    whole: Mapping[str, frozenset[str]]
    has_sources: bool
    files: Mapping[str, str]
    digests: Mapping[str, str]
    #: {imported cached copy: digest of its content}
    copies: Mapping[str, str]
    #: Cached copies that the compilation has read.
    compiled: frozenset[str]
    at: float = 0.0

    def all(self) -> AllNames:
        """Return all names of the run, with which an equal run begins."""
        names = {owner: [found] for owner, found in self.names.items()}
        whole = {owner: [found] for owner, found in self.whole.items()}
        for one in self.renderings.values():
            names.setdefault(one.owner, []).append(one.names)
            if one.whole:
                whole.setdefault(one.owner, []).append(one.whole)
        nothing: list[frozenset[str]] = []
        return {
            owner: (frozenset().union(*found), frozenset().union(*whole.get(owner, nothing)))
            for owner, found in names.items()
        }

    def usable(self, changed: frozenset[str]) -> Mapping[str, RenderingReads]:
        """Return the renderings that have read none of the `changed` data."""
        return {key: one for key, one in self.renderings.items() if changed.isdisjoint(tops_of(one.names))}

    def size(self) -> int:
        """Return the number of names."""
        return sum(map(len, self.names.values())) + sum([len(one.names) for one in self.renderings.values()])


class RunFiles(Protocol):
    """Storage of runs of earlier processes, implemented by `report/recording/known_run_files.py`."""

    def load(self, call: str) -> tuple[KnownRun, float] | None:
        """Return the known run of a call and its age in seconds, or None if there is none."""

    def save(self, call: str, run: KnownRun, age: float) -> None:
        """Save the known run of a call."""


class KnownRuns:
    """Cache of the last run of each call for one master; `files` stores the runs of earlier processes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, files: RunFiles | None = None) -> None:
        self._clock = clock
        self._files = files
        self._runs: dict[str, KnownRun] = {}
        self._all: dict[str, AllNames] = {}

    def of(self, call: str) -> KnownRun | None:
        """Return the known run of a call, or None if there is none or it is too old."""
        found = self._runs.get(call)
        if found is None and self._files is not None:
            loaded = self._files.load(call)
            if loaded is not None:
                found = loaded[0]._replace(at=self._clock() - loaded[1])
                self._hold(call, found)
        if found is None or self._clock() - found.at > KEPT_FOR:
            return None
        return found

    def keep(self, call: str, run: KnownRun) -> None:
        """Store a run in place of the last run of its call; `at` 0 means now."""
        last = self._runs.get(call)
        run = run._replace(at=run.at or self._clock())
        self._hold(call, run)
        if self._files is not None and (last is None or last != run):
            self._files.save(call, run, self._clock() - run.at)

    def all_of(self, call: str) -> AllNames:
        """Return all names of the known run of a call, with which an equal run begins."""
        found = self._all.get(call)
        if found is None:
            found = self._all[call] = self._runs[call].all()
        return found

    def renew(self, call: str, run: KnownRun) -> None:
        """Replace a known run after a change of data that it has not read."""
        self._runs[call] = run

    def _hold(self, call: str, run: KnownRun) -> None:
        self._runs.pop(call, None)
        self._all.pop(call, None)
        self._runs[call] = run
        while len(self._runs) > MOST or sum(one.size() for one in self._runs.values()) > MOST_NAMES:
            oldest = next(iter(self._runs))
            del self._runs[oldest]
            self._all.pop(oldest, None)


class RunComparison:
    """Comparison of a run with the known run of its call, and collector of the next known run.

    `has_all` is True while everything that the compilation has read so far is known.
    """

    def __init__(self, runs: KnownRuns | None, call: str) -> None:
        self.known: KnownRun | None = None
        self.has_all = False
        self._runs = runs
        self._call = call
        self._data: RunData | None = None
        self._held: tuple[object, object] = (None, None)
        #: Known renderings whose data has not changed, the keys of those used so far, and the current key.
        self._usable: Mapping[str, RenderingReads] = {}
        self._used: dict[str, None] = {}
        self._present = ""
        #: Keys of known renderings whose imports were not as expected.
        self._unlike: set[str] = set()
        #: Keys of known renderings that are observed again because their imports differed.
        self._stale: set[str] = set()
        self._observed: dict[str, RenderingReads] = {}
        self._others: set[str | None] = set()
        self._is_same = self._began_with_all = self._has_sources = self._differs = self._failed = False
        self._compiled: frozenset[str] | None = None
        self._names: Mapping[str, frozenset[str]] = {}
        self._whole: Mapping[str, frozenset[str]] = {}

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> KnownRun | None:
        """Start with the run's data and its calls' (grains, pillar) objects; return the known run, if any."""
        if self._runs is None or self._data is not None:
            return None
        self._held = held
        self._data = RunData(data)
        known = self.known = self._runs.of(self._call)
        if known is None:
            return None
        changed = self._data.changed(known.data, known.tops)
        self._is_same = not changed
        self._usable = known.usable(changed) if changed else known.renderings
        if not changed and known.data != self._data.kinds:
            self.known = known = known._replace(data=self._data.kinds)
            self._runs.renew(self._call, known)
        self.has_all = self._began_with_all = known.has_sources and self._is_same
        return known

    def all(self) -> AllNames:
        """Return the names with which a run begins if all of the known run applies."""
        return {} if self._runs is None else self._runs.all_of(self._call)

    def is_known(self, key: str, grains: object, pillar: object) -> bool:
        """Return whether the rendering that begins is known, and record its use if it is."""
        held = self._held
        if key not in self._usable or grains is not held[0] or pillar is not held[1]:
            return False
        if key in self._stale or self._runs is None:
            return False
        self._present = key
        self._used[key] = None
        return True

    def observed_key(self, key: str | None, grains: object, pillar: object) -> str | None:
        """Return the key of a rendering to observe, or None if the rendering cannot become known."""
        self.has_all = False
        if key is not None and self._data is not None and self._is_of_run(grains, pillar):
            return key
        self._others.add(None)
        if self.known is not None and None not in self.known.others:
            self.differs()
        return None

    def is_as_known(self, imports: set[str]) -> bool:
        """Return whether the known rendering that ends had the expected imports; if not, discard it."""
        key = self._present
        if self._usable[key].imports <= imports and key not in self._unlike:
            return True
        self._unlike.discard(key)
        del self._used[key]
        self._stale.add(key)
        self.differs()
        return False

    def note(self, key: str, rendering: RenderingReads, *, is_outside: bool = False) -> None:
        """Record an observed rendering; `is_outside` means that it read more than tree, pillar and grains."""
        if self.known is not None and key not in self.known.others:
            self.differs()
        if is_outside or not is_pure(rendering.names):
            self._others.add(key)
            return
        before = self._observed.get(key)
        self._observed[key] = rendering if before is None else before.joined(rendering)

    def differs(self) -> None:
        """Record that this run differs from the known run."""
        self._differs, self.has_all = True, False

    def fail(self) -> None:
        """Record a failure, after which this run does not become the known run."""
        self._failed = True
        self.differs()

    def is_imported_again(self, cached: str, content_digest: str) -> bool:
        """Return whether a cached copy that a known rendering imports has the known content."""
        if self.known is not None and self.known.copies.get(cached) == content_digest:
            return True
        self._unlike.add(self._present)
        self.differs()
        return False

    def end_compilation(self, copies: Iterable[str]) -> None:
        """Record the cached copies that the compilation has read."""
        if self._compiled is None:
            self._compiled = frozenset(copies)
            if self.known is None:
                return
            if not self.known.compiled <= self._compiled:
                self.differs()
            if self.has_all:
                self._has_sources, self._names, self._whole = True, self.known.names, self.known.whole

    def note_sources(self, names: Mapping[str, set[str]], whole: Mapping[str, set[str]]) -> None:
        """Record the compilation's reads unless a rendering was impure or the run began with all names."""
        if not self._others and not self._began_with_all:
            self._has_sources = True
            self._names = {owner: frozenset(found) for owner, found in names.items() if found}
            self._whole = {owner: frozenset(found) for owner, found in whole.items() if found}

    def give_up(self) -> None:
        """Stop using known runs, and do not save this run."""
        self._runs = None

    def used(self) -> list[RenderingReads]:
        """Return the known renderings that were used, or [] if the run began with all names."""
        return [] if self._began_with_all else [self._usable[key] for key in self._used]

    def has_unlike(self) -> bool:
        """Return whether a known rendering was not as expected and was not observed afterwards."""
        return bool(self._unlike)

    def remember(
        self, files: Mapping[str, str], digests: Mapping[str, str], digest_of: Callable[[str], str]
    ) -> None:
        """Store this run as the known run of its call; to be called last.

        `digest_of` returns the digest of a cached copy.
        """
        if self._runs is None or self._data is None or self._compiled is None or self._failed:
            return
        if self._is_like_the_known_one():
            return
        renderings = {key: self._usable[key] for key in self._used if key not in self._unlike}
        at = self.known.at if self.known is not None and renderings else 0.0
        renderings.update(self._observed)
        done = renderings.values()
        names = frozenset().union(*self._names.values(), *[one.names for one in done])
        imports = frozenset().union(*[one.imports for one in done])
        run = KnownRun(
            self._data.kinds,
            self._data.digests(tops_of(names)),
            renderings,
            frozenset(self._others),
            self._names,
            self._whole,
            self._has_sources,
            dict(files),
            dict(digests),
            {copy: digest_of(copy) for copy in imports},
            self._compiled,
            at,
        )
        self._runs.keep(self._call, run)

    def _is_like_the_known_one(self) -> bool:
        if self.known is None or self._differs or not self._is_same:
            return False
        return self._began_with_all or self.known.has_sources or not self._has_sources

    def _is_of_run(self, grains: object, pillar: object) -> bool:
        return grains is self._held[0] and pillar is self._held[1]
