"""Grains and pillar of a run, compared with an earlier run by digests of what the earlier run read.

Shapes: a top is a kind and top-level key (`pillar:nginx`, `grain:os`), or a whole kind of data (`pillar`).
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgpack

#: {kind of data in a run: kind in names}
_KINDS = {"grains": "grain", "pillar": "pillar"}
#: Error handler for packing unpaired surrogates, which YAML allows.
_HALVES = "surrogatepass"
#: Maximum number of names whose tops are cached; runs on one machine mostly read the same names.
_REMEMBERED = 20_000


class RunData:
    """Copy of a run's data {"grains": ..., "pillar": ...}, made before the run can change it."""

    def __init__(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        self._copies = {_KINDS[kind]: _DataCopy(values) for kind, values in data.items()}
        self._by_top: dict[str, str] = {}
        #: {kind: digest of all its data}, including the order of keys, which a reader of all data sees.
        self.kinds = {kind: copy.digest for kind, copy in self._copies.items()}

    def digests(self, tops: Iterable[str]) -> dict[str, str]:
        """Return {top: digest of the data below it}, '' for a top that does not exist."""
        if not self._by_top:
            for kind, copy in self._copies.items():
                self._by_top.update(_by_top(kind, *copy.texts()))
        texts_of, kinds = self._by_top, self.kinds
        return {
            top: kinds[top] if top in kinds else digest_of(texts_of[top]) if top in texts_of else ""
            for top in tops
        }

    def changed(self, kinds: Mapping[str, str], digests: Mapping[str, str]) -> frozenset[str]:
        """Return the tops that differ from another run's `digests`; `kinds` are its digests by kind."""
        if kinds == self.kinds:
            return frozenset()
        return frozenset(top for top, _ in self.digests(digests).items() ^ digests.items())


class _DataCopy:
    """Values of one kind at the start of a run, packed, or as texts if msgpack cannot pack them.

    Most runs need only the digest. Packing distinguishes `1` from `True` and takes a third of the time of
    making texts. A value that cannot be compared by its text, such as an object of a user's class, differs in
    every run.
    """

    __slots__ = ("_packed", "_texts", "digest")

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._texts: tuple[list[Any], list[str]] = ([], [])
        try:
            # Strict types reject tuples and subclasses of str, which would be packed as list and str.
            self._packed: bytes = msgpack.packb(values, strict_types=True, unicode_errors=_HALVES)
        except (TypeError, ValueError, OverflowError):
            self._packed = b""
            self._texts = _texts(values)
        self.digest = content_digest(self._packed) if self._packed else digest_of("\n".join(self._texts[1]))

    def texts(self) -> tuple[list[Any], list[str]]:
        """Return the keys, and the text of each item."""
        if not self._packed:
            return self._texts
        return _texts(msgpack.unpackb(self._packed, strict_map_key=False, unicode_errors=_HALVES))


def _texts(values: Mapping[str, Any]) -> tuple[list[Any], list[str]]:
    return list(values), list(map(repr, values.items()))


def _by_top(kind: str, keys: list[Any], texts: list[str]) -> dict[str, str]:
    """Return {top: text of its items}."""
    beginning = f"{kind}:"
    names = [f"{beginning}{key}" for key in keys]
    found = dict(zip(names, texts, strict=True))
    if len(found) == len(names) and ":".join(map(str, keys)).count(":") < len(names):
        return found
    # In a name, a colon within a key looks like a separator, and a number like its text.
    found = {}
    for name, text in zip(names, texts, strict=True):
        top = top_of(name)
        found[top] = f"{found.get(top, '')}\n{text}"
    return found


@functools.lru_cache(maxsize=_REMEMBERED)
def top_of(name: str) -> str:
    """Return the top of a name, or '' if the name is not of pillar or grains."""
    kind, _, path = name.partition(":")
    if kind != "pillar" and kind != "grain":
        return ""
    return f"{kind}:{path.partition(':')[0]}" if path else kind


def tops_of(names: Iterable[str]) -> frozenset[str]:
    """Return the tops of names."""
    return frozenset(map(top_of, names)) - {""}


def digest_of(text: str) -> str:
    """Return a digest of text that is the same in every process."""
    return content_digest(text.encode(errors="surrogatepass"))


def content_digest(content: bytes) -> str:
    """Return a digest of bytes that is the same in every process."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()
