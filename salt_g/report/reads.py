"""Record of what a state run reads: files, paths of pillar and grains, functions called in templates, mine.

Shapes: names are text: `salt://web/init.sls` (`?saltenv=dev` unless it is `base`; a directory stands for all
below it), `pillar:nginx:port`, `grain:os`, `function:cmd.run`, `mine:network.ip_addrs`. `pillar`, `grain`,
`salt://` alone are everything of that kind. They hold no values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.report.read_paths import LONGEST, Noted, noted

#: Most names of a run. A run beyond that counts as one that reads everything.
MOST = 20_000
#: What a run that reads too much to be listed has read.
EVERYTHING = ("function", "grain", "mine", "pillar", "salt://")
#: {SLS: {name: digest of the content that was read, '' for what has none}}; '' for what belongs to no SLS.
ReadNames = dict[str, dict[str, str]]


class Reads:
    """Record of one run; `owner` is the SLS that is being rendered or run, `here` collects its names."""

    def __init__(self) -> None:
        self.owner = ""
        self.here: set[str] = set()
        self._names: dict[str, set[str]] = {"": self.here}
        self._whole: dict[str, set[str]] = {}
        self._files: dict[str, str] = {}
        self._digests: dict[str, str] = {}
        #: Contents that were read, by cached copy: hashed at the end, if at all.
        self._contents: dict[str, bytes] = {}
        self._count = 0
        self._is_paused = False
        #: {kind: (mapping, the one that notes its paths)}
        self._noted: dict[str, tuple[Any, Any]] = {}

    # What is noted

    def name(self, name: str, owner: str | None = None) -> None:
        """Note a name, for the SLS being worked on unless another is given."""
        if self._is_paused or (owner is None and name in self.here):
            return
        names = self.here if owner is None or owner == self.owner else self._names.setdefault(owner, set())
        if len(name) > LONGEST:
            # All below the longest part that fits.
            name = name[:LONGEST].rpartition("/" if name.startswith("salt://") else ":")[0]
        if name not in names and self._count < MOST:
            self._count += 1
            names.add(name)

    #: A path that was looked up.
    path = name

    def whole(self, path: str) -> None:
        """Note that all below a path was read."""
        if not self._is_paused:
            self.name(path)
            self._whole.setdefault(self.owner, set()).add(path)

    def file(self, path: str, saltenv: str, cached: str = "", *, owner: str = "") -> None:
        """Note a file of the file server, with the path of its cached copy."""
        url = f"salt://{path}" if saltenv == "base" else f"salt://{path}?saltenv={saltenv}"
        self.name(url, self.owner or owner)
        if cached:
            self._files[url] = cached

    def digest(self, path: str, saltenv: str, digest: str) -> None:
        """Note the digest of a file, as its server reports it."""
        url = f"salt://{path}" if saltenv == "base" else f"salt://{path}?saltenv={saltenv}"
        self._digests[url] = digest[:16]

    def content(self, cached: str, content: bytes) -> None:
        """Note what was read of a cached copy."""
        self._contents[cached] = content

    def mapping(self, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return pillar or grains as a mapping that notes here what is read of it."""
        if isinstance(values, Noted):
            return values
        known = self._noted.get(kind)
        if known is None or known[0] is not values:
            origin = values if isinstance(values, dict) else dict(values)
            known = self._noted[kind] = (values, noted(origin, kind, self))
        wrapped: Mapping[str, Any] = known[1]
        return wrapped

    # Whose it is

    def within(self, owner: str) -> _Within:
        """Note for an SLS during a block."""
        return _Within(self, owner, is_paused=self._is_paused)

    def paused(self) -> _Within:
        """Note nothing during a block: what a plugin reads when it is loaded depends on when that is."""
        return _Within(self, self.owner, is_paused=True)

    # The result

    def state(self) -> tuple[Any, ...]:
        """Return all that decides the result: equal ones have the same. It does not hold contents."""
        contents = {cached: hash(content) for cached, content in self._contents.items()}
        return (self._names, self._whole, self._files, self._digests, contents)

    def names(self) -> ReadNames:
        """Return what was read; where something deeper was read, the mappings on the way are left out."""
        if sum(map(len, self._names.values())) >= MOST:
            return {"": dict.fromkeys(EVERYTHING, "")}
        return {
            owner: {name: self._digest_of(name) for name in _kept(found, self._whole.get(owner, set()))}
            for owner, found in sorted(self._names.items())
            if found
        }

    def _digest_of(self, name: str) -> str:
        content = self._contents.get(self._files.get(name, ""))
        if content is None:
            return self._digests.get(name, "")
        import hashlib  # Imported lazily: 3 ms.

        return hashlib.sha256(content).hexdigest()[:16]


class _Within:
    """Block in which a record notes for one SLS, or nothing; no generator: each SLS has several."""

    __slots__ = ("_here", "_is_paused", "_outer", "_owner", "_reads")

    def __init__(self, reads: Reads, owner: str, *, is_paused: bool) -> None:
        self._reads = reads
        self._owner = owner
        self._is_paused = is_paused

    def __enter__(self) -> None:
        reads = self._reads
        self._outer = (reads.owner, reads.here, reads._is_paused)
        reads.owner, reads._is_paused = self._owner, self._is_paused
        reads.here = set() if self._is_paused else reads._names.setdefault(self._owner, set())

    def __exit__(self, *error: object) -> None:
        self._reads.owner, self._reads.here, self._reads._is_paused = self._outer


def _kept(found: set[str], whole: set[str]) -> list[str]:
    """Return sorted names, without mappings on the way to others and what is below one read as a whole."""
    passed: set[str] = set()
    covered: set[str] = set()
    for name in found:
        if name.startswith(("pillar:", "grain:")):
            above = _above(name)
            passed.update(above)
            if not whole.isdisjoint(above):
                covered.add(name)
    return sorted(name for name in found - covered if name not in passed or name in whole)


def _above(path: str) -> list[str]:
    parts = path.split(":")
    return [":".join(parts[:depth]) for depth in range(1, len(parts))]
