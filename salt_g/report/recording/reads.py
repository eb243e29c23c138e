"""Recorder of what a state run reads: files, pillar and grain paths, functions in templates, mine data.

Shapes: names are text: `salt://web/init.sls` (`?saltenv=dev` unless it is `base`; a directory stands for all
below it), `pillar:nginx:port`, `grain:os`, `function:cmd.run`, `mine:network.ip_addrs`. `pillar`, `grain`,
`salt://` alone mean everything of that kind. Names hold no values.
"""

from __future__ import annotations

import bisect
import functools
import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from salt_g.report.recording.known_rendering import KnownRendering, RenderingReads
from salt_g.report.recording.known_runs import UNKNOWN, AllNames, KnownRuns, RunComparison
from salt_g.report.recording.read_paths import LONGEST, NotedMapping, noted
from salt_g.report.recording.run_data import content_digest, digest_of

#: Maximum number of names of a run; a run with more counts as one that reads everything.
MOST = 20_000
#: Names of a run that reads too much to be listed.
EVERYTHING = ("function", "grain", "mine", "pillar", "salt://")
#: {SLS: {name: digest of the content that was read, '' if none}}; the SLS is '' for reads outside of any SLS.
ReadNames = dict[str, dict[str, str]]


class Reads:
    """Recorder of one run; `owner` is the SLS being rendered or run, `here` the set of names that it reads.

    `runs` are the known runs of this machine; what the last run of `call` is known to read is not observed
    again.
    """

    is_known = False

    def __init__(self, runs: KnownRuns | None = None, call: str = "") -> None:
        self._run = RunComparison(runs, call)
        self._inside = KnownRendering(self.imported)
        self.owner = ""
        self.here: set[str] = set()
        self._names: dict[str, set[str]] = {"": self.here}
        self._whole: dict[str, set[str]] = {}
        self._whole_here = self._whole.setdefault("", set())
        #: All names of the known run, with which this run began. They are added to `_names` only when needed,
        #: because most runs read nothing else.
        self._beginning: AllNames | None = None
        self._files: dict[str, str] = {}
        self._digests: dict[str, str] = {}
        #: {cached copy: content that was read}, hashed only at the end and only if needed.
        self._contents: dict[str, bytes] = {}
        #: Cached copies imported by the rendering that is being observed.
        self._imports: set[str] = set()
        #: Cached copies imported by known renderings and known to be unchanged.
        self._as_known: set[str] = set()
        #: Cached copies imported by the current known rendering.
        self._seen: set[str] = set()
        #: Whether the observed rendering reads something other than the tree, pillar and grains.
        self._is_outside = False
        self._count = 0
        self._has_more = False
        self._is_paused = False
        #: {kind: (mapping, wrapped mapping that records its paths)}
        self._noted: dict[str, tuple[Any, Any]] = {}

    # Recording

    def name(self, name: str, owner: str | None = None) -> None:
        """Record a name for the current SLS, or for `owner` if given."""
        if self._is_paused or (owner is None and name in self.here):
            return
        names = self.here if owner is None or owner == self.owner else self._names.setdefault(owner, set())
        if len(name) > LONGEST:
            # The longest part that fits stands for everything below it.
            name = name[:LONGEST].rpartition("/" if name.startswith("salt://") else ":")[0]
        if name in names:
            return
        if self._count >= MOST:
            self._has_more = True
            return
        self._count += 1
        names.add(name)

    #: Record a path that was looked up.
    path = name

    def whole(self, path: str) -> None:
        """Record that everything below a path was read."""
        if not self._is_paused:
            self.name(path)
            self._whole_here.add(path)

    def file(self, path: str, saltenv: str, cached: str = "", *, owner: str = "") -> None:
        """Record a file of the file server, with the path of its cached copy."""
        if self._run.has_all:
            return
        url = f"salt://{path}" if saltenv == "base" else f"salt://{path}?saltenv={saltenv}"
        self.name(url, self.owner or owner)
        if cached:
            self._files[url] = cached

    def digest(self, path: str, saltenv: str, digest: str) -> None:
        """Record the digest of a file as reported by its server."""
        url = f"salt://{path}" if saltenv == "base" else f"salt://{path}?saltenv={saltenv}"
        self._digests[url] = digest[:16]

    def content(self, cached: str, content: bytes) -> None:
        """Record the content that was read from a cached copy."""
        self._contents[cached] = content
        self._imports.add(cached)

    def outside(self) -> None:
        """Record that the rendering reads something other than the tree, pillar and grains."""
        self._is_outside = True

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains as a mapping that records its reads here."""
        if isinstance(values, NotedMapping) or self._run.has_all:
            return values
        known = self._noted.get(kind)
        if known is None or known[0] is not values:
            origin = values if isinstance(values, dict) else dict(values)
            known = self._noted[kind] = (values, noted(origin, kind, self))
        wrapped: Mapping[str, Any] = known[1]
        return wrapped

    # Known renderings

    def begin(self, data: Mapping[str, Mapping[str, Any]], held: tuple[object, object]) -> None:
        """Start with the run's {"grains": ..., "pillar": ...} and the (grains, pillar) objects of its calls.

        A rendering that uses other objects is not known because its reads depend on them.
        """
        known = self._run.begin(data, held)
        if known is None:
            return
        self._files.update(known.files)
        self._digests.update(known.digests)
        if self._run.has_all:
            self._beginning = self._run.all()

    def known(self, key: str, grains: object, pillar: object) -> KnownRendering | None:
        """Return the recorder for a known rendering, or None if the rendering has to be observed.

        `key` is a text with the SLS and everything else that decides what the rendering reads, except grains
        and pillar.
        """
        if self._is_paused or not self._run.is_known(key, grains, pillar):
            return None
        self._seen = set()
        return self._inside

    def is_as_known(self) -> bool:
        """Return whether the known rendering that ends had the expected imports; else it must be observed."""
        return self._run.is_as_known(self._seen)

    def rendering(
        self, owner: str, key: str | None, grains: object, pillar: object
    ) -> AbstractContextManager[None]:
        """Return the context manager for observing a rendering; `key` is None if it cannot become known."""
        key = self._run.observed_key(None if self._is_paused else key, grains, pillar)
        owner = owner or self.owner
        if key is None:
            return _UnknownRendering(self, owner, is_paused=self._is_paused)
        return _ObservedRendering(self, owner, key)

    def end_rendering(self, key: str, found: RenderingReads, *, is_outside: bool) -> None:
        """Record the reads of an observed rendering."""
        if found.owner == self.owner:
            # An outer rendering of the same SLS may already have read these names, so count only new ones.
            before = len(self.here)
            self.here |= found.names
            self._whole_here |= found.whole
            self._count += len(self.here) - before
        else:
            self._add(found.owner, found.names, found.whole)
        self._run.note(key, found, is_outside=is_outside)

    def fail(self) -> None:
        """Record that a rendering has failed."""
        self._run.fail()

    def imported(self, cached: str, content: bytes) -> None:
        """Record the import of a cached copy by a known rendering."""
        self._seen.add(cached)
        if cached in self._as_known and self._contents[cached] == content:
            return
        self._contents[cached] = content
        if self._run.is_imported_again(cached, content_digest(content)):
            self._as_known.add(cached)

    def sources(self, note: Callable[[], bool]) -> None:
        """Record the files named by states, by calling `note`, unless they are known.

        `note` returns whether renderings of the run may run concurrently; if so, known runs are no longer
        used.
        """
        self._run.end_compilation(self._contents)
        has_all, self._run.has_all = self._run.has_all, False
        if has_all:
            return
        if note():
            self._run.give_up()
        else:
            self._run.note_sources(self._names, self._whole)

    def _take_beginning(self) -> None:
        """Add the names with which the run began."""
        beginning, self._beginning = self._beginning, None
        for owner, (names, whole) in (beginning or {}).items():
            if owner in self._names:
                self._add(owner, names, whole)
                continue
            self._names[owner] = set(names)
            self._count += len(names)
            if whole:
                self._whole[owner] = set(whole)

    def remember(self) -> None:
        """Add the reads of known renderings, and store this run as known; to be called last."""
        for one in self._run.used():
            self._add(one.owner, one.names, one.whole)
        if self._run.has_unlike():
            # A known rendering had other imports and then failed, so it may have read anything.
            self._add("", UNKNOWN, ())
        if self._has_more:
            self._run.fail()
        self._run.remember(self._files, self._digests, lambda cached: content_digest(self._contents[cached]))

    def _add(self, owner: str, names: Collection[str], whole: Collection[str]) -> None:
        found = self._names.setdefault(owner, set())
        before = len(found)
        found.update(names)
        self._count += len(found) - before
        if whole:
            self._whole.setdefault(owner, set()).update(whole)

    # Owners

    def within(self, owner: str) -> AbstractContextManager[None]:
        """Return a context manager that records reads for an SLS."""
        if self._run.has_all:
            return _NOTHING
        return _Within(self, owner, is_paused=self._is_paused)

    def paused(self) -> _Within:
        """Return a context manager that suspends recording, for plugins that load at arbitrary times."""
        return _Within(self, self.owner, is_paused=True)

    # Results

    def state(self) -> tuple[Any, ...]:
        """Return a value, without file contents, that is equal for recorders with equal results."""
        contents = dict(zip(self._contents, map(hash, self._contents.values()), strict=True))
        found = {owner: frozenset(names) for owner, names in self._names.items() if names}
        whole = {owner: frozenset(names) for owner, names in self._whole.items() if names}
        # `_beginning` is the same object in equal runs, which makes the comparison fast.
        return (self._beginning, found, whole, self._files, self._digests, contents, self._has_more)

    def digest_of_state(self) -> str:
        """Return a digest that is equal for equal results, in every process."""
        self._take_beginning()
        contents = {cached: content_digest(content) for cached, content in self._contents.items()}
        named = {owner: sorted(found) for owner, found in self._names.items() if found}
        parts = (named, self._files, self._digests, contents)
        whole = {owner: sorted(found) for owner, found in self._whole.items() if found}
        text = repr((*(sorted(part.items()) for part in (*parts, whole)), self._has_more))
        return digest_of(text)

    def names(self) -> ReadNames:
        """Return the names that were read, without the mappings on the way to deeper names."""
        self._take_beginning()
        if self._has_more or sum(map(len, self._names.values())) >= MOST:
            return {"": dict.fromkeys(EVERYTHING, "")}
        return {
            owner: self._with_digests(_kept(found, self._whole.get(owner, set())))
            for owner, found in sorted(self._names.items())
            if found
        }

    def _with_digests(self, names: Sequence[str]) -> dict[str, str]:
        found = dict.fromkeys(names, "")
        # The names are sorted, so the few names of files are adjacent.
        for name in names[bisect.bisect_left(names, "salt://") :]:
            found[name] = self._digest_of(name)
        return found

    def _digest_of(self, name: str) -> str:
        content = self._contents.get(self._files.get(name, ""))
        if content is None:
            return self._digests.get(name, "")
        return hashlib.sha256(content).hexdigest()[:16]


_NOTHING = nullcontext()


class _Within:
    """Context manager that records for one SLS or suspends recording; a class because it is entered often."""

    __slots__ = ("_here", "_is_paused", "_outer", "_owner", "_reads")

    def __init__(self, reads: Reads, owner: str, *, is_paused: bool) -> None:
        self._reads = reads
        self._owner = owner
        self._is_paused = is_paused

    def __enter__(self) -> None:
        reads = self._reads
        self._outer = (reads.owner, reads.here, reads._whole_here, reads._is_paused)
        if self._owner == reads.owner and self._is_paused == reads._is_paused:
            return
        reads.owner, reads._is_paused = self._owner, self._is_paused
        reads.here = set() if self._is_paused else reads._names.setdefault(self._owner, set())
        reads._whole_here = reads._whole.setdefault(self._owner, set())

    def __exit__(self, *error: object) -> None:
        reads = self._reads
        reads.owner, reads.here, reads._whole_here, reads._is_paused = self._outer


class _UnknownRendering(_Within):
    """Context manager for a rendering that is observed in every run."""

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:
            self._reads.fail()
        super().__exit__(*error)


class _ObservedRendering:
    """Context manager for a rendering whose reads are recorded separately."""

    __slots__ = ("_key", "_outer", "_owner", "_reads", "_was_outside")

    def __init__(self, reads: Reads, owner: str, key: str) -> None:
        self._reads = reads
        self._owner = owner
        self._key = key

    def __enter__(self) -> None:
        reads = self._reads
        self._outer = (reads.owner, reads.here, reads._whole_here, reads._count, reads._imports)
        self._was_outside, reads._is_outside = reads._is_outside, False
        reads.owner = self._owner
        reads.here, reads._whole_here, reads._imports = set(), set(), set()

    def __exit__(self, *error: object) -> None:
        reads = self._reads
        if error[0] is not None:
            reads.fail()
        names, whole, imports = map(frozenset, (reads.here, reads._whole_here, reads._imports))
        reads.owner, reads.here, reads._whole_here, reads._count, reads._imports = self._outer
        is_outside = reads._is_outside
        # What an inner rendering reads from outside, the outer one reads as well.
        reads._is_outside = is_outside or self._was_outside
        found = RenderingReads(self._owner, names, whole, imports)
        reads.end_rendering(self._key, found, is_outside=is_outside)


def _kept(found: set[str], whole: set[str]) -> list[str]:
    """Return sorted names, without those above deeper names and those below mappings read as a whole."""
    if whole:
        found = {name for name in found if whole.isdisjoint(_above(name))}
    passed = frozenset().union(*map(_above, found))
    return sorted(found - (passed - whole))


@functools.lru_cache(maxsize=MOST)
def _above(name: str) -> tuple[str, ...]:
    """Return the mappings above a path of pillar or grains."""
    above, _, _ = name.rpartition(":")
    if not above or not name.startswith(("pillar:", "grain:")):
        return ()
    return (*_above(above), above)
