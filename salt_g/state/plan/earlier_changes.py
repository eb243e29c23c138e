"""Dependencies of a chunk's changes on earlier chunks, whose changes a test run does not make.

In test mode nothing changes on the machine, so the second of two chunks that manage the same path is compared
with content that the first would replace. The real changes of the second are known only once the first has
run. A chunk depends on an earlier one that would change something it names: the same path (also through
links), a path above or below it, or the same object of the same state module, such as a user. It also depends
on chunks that it requires and whose changes have no paths, because a package brings files that its states do
not name.
Shapes: callers name chunks by tag; inside, chunks have numbers. Each table is {path: numbers of chunks}: in
`_exact` those that change the path, in `_below` something below it, in `_covered` the path and everything
below it, in `_made` those that create it as a directory.
Bounds: for each chunk, the `MAX_EARLIER` newest earlier chunks are kept.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Mapping

from salt_g.shapes import LowChunk, StateReturn
from salt_g.state.compile.vocabulary import ENGINE_KEYS
from salt_g.state.plan.digests import leaves_of
from salt_g.state.plan.summaries import OPAQUE

#: Maximum number of earlier chunks recorded per chunk.
MAX_EARLIER = 32
#: Maximum length of a text that counts as a path (characters).
_MAX_PATH = 4096
#: Arguments that contain or describe content and are not paths.
_CONTENT = frozenset(
    (
        "after",
        "before",
        "content",
        "contents",
        "context",
        "defaults",
        "env",
        "match",
        "pattern",
        "repl",
        "text",
    )
)
#: `file` states of directories that report each path they change.
_WITH_PATHS = frozenset((("file", "directory"), ("file", "recurse")))
#: `file` states whose outcome depends on everything below their path.
_WALKING = frozenset(("absent", "copy", "recurse", "rename", "tidied"))


class EarlierChanges:
    """Changes that the chunks of a test run would make; `needs` is {tag: tags of required chunks}.

    On a resource (`is_local` False) links in paths are not resolved.
    """

    def __init__(self, needs: Mapping[str, Iterable[str]], *, is_local: bool) -> None:
        self._needs = needs
        self._is_local = is_local
        self._tags: list[str] = []
        self._exact: dict[str, list[int]] = {}
        self._below: dict[str, list[int]] = {}
        self._covered: dict[str, list[int]] = {}
        self._made: dict[str, list[int]] = {}
        self._untold: dict[str, list[int]] = {}
        self._directories: dict[str, str] = {}
        # Parallel chunks call these methods from their own threads.
        self._lock = threading.Lock()

    def shared_with(self, tag: str, low: LowChunk, *, is_known: bool) -> list[str]:
        """Return the chunks that would change something this chunk names, oldest first.

        If the changes of this chunk are known (`is_known`), a new directory above its paths does not count.
        """
        does_walk = _does_walk(low)
        with self._lock:
            found: set[int] = set(self._exact.get(_thing(low), ()))
            for path in self._resolved(_named(low)):
                found.update(self._exact.get(path, ()))
                for above in (path, *_above(path)):
                    found.update(self._covered.get(above, ()))
                    if not is_known:
                        found.update(self._made.get(above, ()))
                if does_walk:
                    found.update(self._below.get(path, ()))
            return self._newest(tag, found)

    def required_by(self, tag: str) -> list[str]:
        """Return the required chunks that would make changes, except `file` states, oldest first."""
        with self._lock:
            return self._newest(tag, self._required(tag))

    def add(self, tag: str, low: LowChunk, ret: StateReturn) -> None:
        """Record what a chunk would change."""
        with self._lock:
            self._add(tag, low, ret)

    def _add(self, tag: str, low: LowChunk, ret: StateReturn) -> None:
        number = len(self._tags)
        self._tags.append(tag)
        if low["state"] == "test":
            return
        if low["state"] != "file":
            self._untold[tag] = [number]
        if low["state"] in OPAQUE:
            return
        self._exact.setdefault(_thing(low), []).append(number)
        reports_paths = (low["state"], low["fun"]) in _WITH_PATHS and self._is_local
        for path in self._resolved(_changed(low, ret)):
            self._exact.setdefault(path, []).append(number)
            if not reports_paths or _is_removed(path, ret):
                self._covered.setdefault(path, []).append(number)
            elif not os.path.isdir(path):
                made = self._covered if os.path.lexists(path) else self._made
                made.setdefault(path, []).append(number)
            for above in _above(path):
                self._below.setdefault(above, []).append(number)
                if self._is_local and not os.path.lexists(above):
                    # The directory is created together with the path.
                    self._made.setdefault(above, []).append(number)
                    self._exact.setdefault(above, []).append(number)

    def _required(self, tag: str) -> list[int]:
        """Return the numbers of the nearest required chunks that would make changes, except `file` states."""
        if tag not in self._untold:
            found: set[int] = set()
            for other in self._needs.get(tag, ()):
                found.update(self._untold.get(other, ()))
            self._untold[tag] = sorted(found)[-MAX_EARLIER:]
        own = self._untold[tag]
        return [number for number in own if self._tags[number] != tag]

    def _newest(self, tag: str, numbers: Iterable[int]) -> list[str]:
        tags = (self._tags[number] for number in sorted(numbers))
        return list(dict.fromkeys(one for one in tags if one != tag))[-MAX_EARLIER:]

    def _resolved(self, paths: Iterable[str]) -> set[str]:
        """Return paths as written and with links resolved."""
        found: set[str] = set()
        for path in paths:
            written = os.path.normpath(path)
            found.add(written)
            if self._is_local:
                parent, name = os.path.split(written)
                if parent not in self._directories:
                    self._directories[parent] = os.path.realpath(parent)
                real = os.path.join(self._directories[parent], name)
                found.update((real, os.path.realpath(real)) if os.path.islink(real) else (real,))
        return found


def _named(low: LowChunk) -> Iterator[str]:
    """Yield the paths in the arguments of a chunk; for a command only those in `creates`."""
    if low["state"] in OPAQUE:
        yield from _paths(low.get("creates"))
        return
    for key, value in low.items():
        if key == "name" or not (key.startswith("__") or key in ENGINE_KEYS or key in _CONTENT):
            yield from _paths(value)
    yield from _target(low)


def _changed(low: LowChunk, ret: StateReturn) -> Iterator[str]:
    """Yield the paths that a chunk would change, without the source of a file."""
    if low["state"] != "file":
        yield from _named(low)
    else:
        yield from _paths(low["name"])
        yield from _target(low)
        if low["fun"] == "rename":
            yield from _paths(low.get("source"))
    for key, value in ret["changes"].items():
        yield from _paths(key)
        yield from _paths(list(value) if isinstance(value, Mapping) else value)


def _target(low: LowChunk) -> Iterator[str]:
    """Yield the target of a link that the chunk manages, because writing to the link changes the target."""
    target = low.get("target")
    if low["state"] == "file" and isinstance(target, str):
        yield from _paths(os.path.join(os.path.dirname(low["name"]), target))


def _paths(value: object) -> Iterator[str]:
    for leaf in leaves_of(value):
        text = leaf[1]
        if isinstance(text, str) and text.startswith("/") and "\n" not in text and len(text) <= _MAX_PATH:
            yield text


def _above(path: str) -> Iterator[str]:
    while (parent := os.path.dirname(path)) != path:
        yield parent
        path = parent


def _thing(low: LowChunk) -> str:
    """Return a name for the object that a chunk manages, such as `user joe`; '' for commands and `test`."""
    return "" if low["state"] in OPAQUE or low["state"] == "test" else f"{low['state']} {low['name']}"


def _does_walk(low: LowChunk) -> bool:
    if low["state"] != "file":
        return False
    return low["fun"] in _WALKING or (
        low["fun"] == "directory" and bool(low.get("clean") or low.get("recurse"))
    )


def _is_removed(path: str, ret: StateReturn) -> bool:
    change, removed = ret["changes"].get(path), ret["changes"].get("removed")
    return (isinstance(change, Mapping) and "removed" in change) or (
        isinstance(removed, list) and path in removed
    )
