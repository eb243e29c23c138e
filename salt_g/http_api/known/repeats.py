"""Idempotent requests: a repeated Idempotency-Key returns the answer to the first request.

Bounds: `MOST` keys, each for `KEPT` seconds, and `MOST_BYTES` of answers. A restart forgets them.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import collections
import hashlib
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.http_api.messages import Refusal

MOST, KEPT, MAX_KEY = 10_000, 24 * 3600.0, 200
#: Maximum total size of all answers as JSON (bytes), because answers about many minions are long.
MOST_BYTES = 64 * 1024 * 1024


class _Kept(NamedTuple):
    digest: str
    answer: Any
    end: float
    size: int = 0


class Repeats:
    """Stored answers by user and Idempotency-Key."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, most_bytes: int = MOST_BYTES) -> None:
        self._clock = clock
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: collections.OrderedDict[tuple[str, str], _Kept] = collections.OrderedDict()

    def once(self, user: str, key: str, data: Any, run: Callable[[], Any]) -> Any:
        """Return the result of `run`, or the stored answer for the same key; '' stands for no key.

        Raise Refusal: 400 for a key that is too long, 409 while the first request runs, 422 for a key that
        was used with other data.
        """
        if not key:
            return run()
        if len(key) > MAX_KEY:
            raise Refusal(400, f"an Idempotency-Key must not exceed {MAX_KEY} characters")
        place, now = (user, key), self._clock()
        digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
        kept = self._kept.get(place)
        if kept is not None and kept.end > now:
            return _again(kept, digest)
        self._put(place, _Kept(digest, None, now + KEPT))
        try:
            answer = run()
        except BaseException:
            # A failed request may be tried again.
            self._drop(place)
            raise
        self._put(place, _Kept(digest, answer, now + KEPT, len(json.dumps(answer, default=str))))
        return answer

    def _put(self, place: tuple[str, str], kept: _Kept) -> None:
        self._drop(place)
        self._kept[place] = kept
        self._bytes += kept.size
        while len(self._kept) > MOST or (self._bytes > self._most_bytes and len(self._kept) > 1):
            self._drop(next(iter(self._kept)))

    def _drop(self, place: tuple[str, str]) -> None:
        kept = self._kept.pop(place, None)
        self._bytes -= kept.size if kept is not None else 0


def _again(kept: _Kept, digest: str) -> Any:
    if kept.digest != digest:
        raise Refusal(422, "this Idempotency-Key was used with other data; choose a new one")
    if kept.answer is None:
        raise Refusal(409, "the first request with this Idempotency-Key still runs; ask again in a second")
    return kept.answer
