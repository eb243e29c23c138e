"""Digests of low chunks, which show whether a state is declared as in the previous run.

A digest covers the chunk, the cached `salt://` files that it names, and the minion's pillar where a template
or an argument reads it. A state that changes something although its digest is that of the previous run
corrects a drift, because the machine was changed in between. A chunk that runs because of the results of
others has `FOLLOWS` in place of a digest.
Shapes: `take` returns `SIZE` bytes for each run number (`__run_num__`), zeros for a chunk without a digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.shapes import LowChunk
from salt_g.wire.packing import pack_bus

#: Size of a digest (bytes), and maximum number of chunks per run that get one.
SIZE, MOST = 8, 20_000
#: Size above which cached files are compared by size and time only (bytes).
MAX_FILE = 16 * 1024 * 1024
#: Placeholder for the digest of a chunk that reacts to the results of others.
FOLLOWS = b"\xff" * SIZE
_REACTING = frozenset(("onchanges", "onchanges_any", "onfail", "onfail_any", "onfail_all", "prereq"))
_LISTENER = "listener_"
#: Arguments that make a chunk depend on pillar if they are set.
_PILLAR = ("template", "contents_pillar")


class LowDigests:
    """Digests of the chunks of a job's state run.

    `cached(url, saltenv)` returns the path of a file's cached copy, or ''; `pillar()` returns the pillar.
    """

    def __init__(self, cached: Callable[[str, str], str], pillar: Callable[[], Mapping[str, Any]]) -> None:
        self._cached = cached
        self._pillar = pillar
        self._digest_of_pillar = b""
        self._found: dict[int, bytes] = {}

    def add(self, low: LowChunk, number: int, *, has_fired: bool = False) -> None:
        """Record the digest of a chunk under its run number; `has_fired` if its `watch` has fired."""
        if 0 <= number < MOST:
            follows = has_fired or not _REACTING.isdisjoint(low) or low["__id__"].startswith(_LISTENER)
            self._found[number] = FOLLOWS if follows else self._digest(low)

    def take(self) -> bytes:
        """Return all digests by run number, and clear them for the next state run of the job."""
        found, self._found = self._found, {}
        last = max(found, default=-1)
        return b"".join(found.get(number, bytes(SIZE)) for number in range(last + 1))

    def _digest(self, low: LowChunk) -> bytes:
        values: Mapping[str, Any] = low
        wanted = {
            str(name): value
            for name, value in values.items()
            if name != "order" and not (str(name).startswith("__") and name != "__id__")
        }
        digest = hashlib.blake2b(digest_size=SIZE)
        digest.update(pack_bus(_plain(wanted)))
        saltenv = str(values.get("__env__") or "base")
        for url in salt_urls(wanted):
            digest.update(_of_file(self._cached(url, saltenv)))
        if any(values.get(name) for name in _PILLAR):
            digest.update(self._of_pillar())
        return digest.digest()

    def _of_pillar(self) -> bytes:
        if not self._digest_of_pillar:
            packed = pack_bus(_plain(self._pillar()))
            self._digest_of_pillar = hashlib.blake2b(packed, digest_size=SIZE).digest()
        return self._digest_of_pillar


def _plain(value: Any) -> Any:
    """Return nested data with its keys sorted and values of other types converted to text."""
    if isinstance(value, Mapping):
        return {str(name): _plain(value[name]) for name in sorted(value, key=str)}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, (str, bytes, int, float)) else str(value)


def salt_urls(value: Any) -> Iterator[str]:
    """Yield the `salt://` URLs in the values of a chunk."""
    if isinstance(value, str):
        if value.startswith("salt://"):
            yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from salt_urls(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from salt_urls(one)


def _of_file(path: str) -> bytes:
    """Return the digest of a file's content, or its size and time above `MAX_FILE`; b'' if unreadable."""
    import os  # Imported lazily, like this whole module: only needed if the master keeps a history.

    try:
        with open(path, "rb") as file:
            about = os.fstat(file.fileno())
            if about.st_size > MAX_FILE:
                return f"{about.st_size} {about.st_mtime_ns}".encode()
            return hashlib.blake2b(file.read(), digest_size=SIZE).digest()
    except (OSError, ValueError):
        return b""
