"""Requests to a master for many files at once, for a state that has announced the files it will use.

A tree of 20,000 files would otherwise cost 20,000 round trips. Each request names the file that is needed now
and the files announced after it, so answers are as fresh as answers to single requests.
Units: bytes, seconds. Bounds: files and bytes of one request; a master may answer for fewer files.
Errors: as for `Asking.ask_own`.
Source: wire specification, section 9.2.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from salt_g.files.description import Description, literal_path, read_descriptions
from salt_g.process.offload import yield_to_hub
from salt_g.services.daemons import Asking

#: Maximum number of files per request, and maximum size of their contents (bytes).
MOST_PATHS = 256
MOST_BYTES = 1 << 20
#: If a caller uses up its descriptions within this time, the next ones are requested ahead; a reply requested
#: ahead is not used after this time (s).
PACE = 0.4
#: Maximum size of files fetched in bulk (bytes); masters send no larger ones that way.
SMALL_FILE = 32 * 1024
#: Fields of a reply that stay bytes.
_BINARY = ("data",)


#: Function that returns the path of the private copy of a file, by path and environment.
CopyOf = Callable[[str, str], str]


class _Announced(NamedTuple):
    """Announced files of an environment in order of use; `numbers` is {path: position}."""

    saltenv: str
    paths: Sequence[str]
    numbers: Mapping[str, int]
    copy_of: CopyOf

    def since(self, path: str) -> Sequence[str]:
        """Return a file and the files after it, at most as many as one request may name."""
        start = self.numbers[path]
        return self.paths[start : start + MOST_PATHS]


class _Ahead(NamedTuple):
    """Request sent ahead: its first file and environment, its time, a function that waits for the reply."""

    place: tuple[str, str]
    asked: float
    reply: Callable[[], Any]


class BulkRequests:
    """Announced files and the bulk requests for them; files not covered are left to the caller to request."""

    def __init__(self, channel: Asking) -> None:
        self._channel = channel
        self._announced: list[_Announced] = []
        self._ahead: _Ahead | None = None
        #: Time of the last request for descriptions (monotonic, s).
        self._described = -math.inf

    @contextlib.contextmanager
    def announced(self, paths: Sequence[str], saltenv: str, copy_of: CopyOf) -> Iterator[None]:
        """Expect files of an environment to be used in this order during the block."""
        entry = _Announced(saltenv, paths, {path: number for number, path in enumerate(paths)}, copy_of)
        self._announced.append(entry)
        try:
            yield
        finally:
            self._announced.remove(entry)
            self._ahead = None

    def describe(self, path: str, saltenv: str, *, now: float) -> tuple[float, dict[str, Description]]:
        """Return (time of the request, descriptions of a file and of the files after it).

        The mapping is {} if the file needs a separate request. While the caller uses files quickly, the next
        descriptions are requested in advance; `now` is the current time of the caller's clock.
        """
        entry = self._entry(path, saltenv)
        paths = entry.since(path) if entry else ()
        if entry is None or len(paths) < 2:
            return now, {}
        asked, reply = self._take_ahead(paths, saltenv, now)
        found = read_descriptions(reply)
        if found and now - self._described < PACE:
            self._ask_ahead(entry.since(paths[len(found) - 1])[1:], saltenv, now)
        self._described = now
        return asked, {each: described for each, described in zip(paths, found, strict=False) if described}

    def _take_ahead(self, paths: Sequence[str], saltenv: str, now: float) -> tuple[float, Any]:
        """Return (time of the request, reply), from the pending request if it is for `paths`."""
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead.place == (paths[0], saltenv) and now - ahead.asked < PACE:
            return ahead.asked, ahead.reply()
        return now, self._ask("_file_hashes", paths, saltenv)

    def _ask_ahead(self, paths: Sequence[str], saltenv: str, now: float) -> None:
        if len(paths) < 2:
            return
        reply = self._channel.ask_ahead(_load("_file_hashes", paths, saltenv))
        self._ahead = _Ahead((paths[0], saltenv), now, reply)
        # Let the greenlet send the request now, because the caller may not yield before it ends.
        yield_to_hub()

    def fetch(
        self, path: str, saltenv: str, missing_size: Callable[[str, str], int | None]
    ) -> dict[str, bytes]:
        """Return the contents of a file and of small files after it, or {} if it needs a separate request.

        `missing_size(path, copy)` returns the length of a file that has to be fetched, None for other files.
        """
        entry = self._entry(path, saltenv)
        paths: list[str] = []
        left = MOST_BYTES
        for each in entry.since(path) if entry else ():
            size = missing_size(each, entry.copy_of(each, saltenv)) if entry else None
            if size is not None and size <= SMALL_FILE:
                paths.append(each)
                left -= size
            if left <= 0:
                break
        if len(paths) < 2 or paths[0] != path:
            return {}
        return _contents(paths, self._ask("_serve_files", paths, saltenv, binary=_BINARY))

    def _ask(self, command: str, paths: Sequence[str], saltenv: str, *, binary: Sequence[str] = ()) -> Any:
        return self._channel.ask_own(_load(command, paths, saltenv), binary=binary)

    def _entry(self, path: str, saltenv: str) -> _Announced | None:
        fitting = (entry for entry in self._announced if entry.saltenv == saltenv and path in entry.numbers)
        return next(fitting, None)


def _load(command: str, paths: Sequence[str], saltenv: str) -> dict[str, Any]:
    return {"cmd": command, "paths": [literal_path(path) for path in paths], "saltenv": saltenv}


def _contents(paths: Sequence[str], reply: Any) -> dict[str, bytes]:
    """Split a reply to `_serve_files`: {data: concatenated contents, sizes: [length, or -1 if not sent]}."""
    if not isinstance(reply, Mapping):
        return {}
    data, sizes = reply.get("data"), reply.get("sizes")
    if not isinstance(data, (bytes, memoryview)) or not isinstance(sizes, (list, tuple)):
        return {}
    contents, start = {}, 0
    for path, size in zip(paths, sizes, strict=False):
        if isinstance(size, int) and size >= 0:
            contents[path] = bytes(data[start : start + size])
            start += size
    return contents
