"""Grains and pillar of a run in comparison with those of another one, by the digests of their top level.

Shapes: a top is the first part of a path (`pillar:nginx`, `grain:os`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

#: {kind of data as runs name it: kind in names}
_KINDS = {"grains": "grain", "pillar": "pillar"}


class RunData:
    """Data of a run: {"grains": ..., "pillar": ...}."""

    def __init__(self, data: Mapping[str, Mapping[str, Any]]) -> None:
        self._data = data
        #: Of all of it: equal for equal data. What cannot be compared by its text, such as an object of a
        #: user's class, is another one each time.
        self.digest = digest_of(repr([dict(values) for values in data.values()]))
        self._tops: dict[str, str] | None = None

    def tops(self) -> dict[str, str]:
        """Return the digests of what is below each top, in the order of the data.

        To be asked before the run: templates may change the data.
        """
        if self._tops is None:
            texts: dict[str, str] = {}
            for kind, values in self._data.items():
                for key, value in values.items():
                    # Names do not tell a colon in a key from one between two.
                    top = f"{_KINDS[kind]}:{str(key).partition(':')[0]}"
                    texts[top] = texts.get(top, "") + repr((key, value))
            self._tops = {top: digest_of(text) for top, text in texts.items()}
        return self._tops

    def changed(self, digest: str, tops: Mapping[str, str]) -> frozenset[str]:
        """Return the tops that differ from those of another run, and the kinds of data that do."""
        if digest == self.digest:
            self._tops = dict(tops)
            return frozenset()
        own = self.tops()
        found = {top for top in own.keys() | tops.keys() if own.get(top) != tops.get(top)}
        for kind in _KINDS.values():
            # Whatever reads all of it also sees the order.
            beginning = f"{kind}:"
            if [top for top in own if top.startswith(beginning)] != [
                top for top in tops if top.startswith(beginning)
            ]:
                found.add(kind)
        return frozenset(found | {top.partition(":")[0] for top in found})


def tops_of(names: Iterable[str]) -> frozenset[str]:
    """Return the tops of paths among names; a kind of data as a whole is its own."""
    found: Collection[str] = {
        ":".join(name.split(":", 2)[:2]) for name in names if name.startswith(("pillar", "grain"))
    }
    return frozenset(found)


def digest_of(text: str) -> str:
    """Return a digest of a text, the same in each process."""
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
