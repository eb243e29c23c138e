"""Postponement of requests during a system failure, with one log line at its start and one at its end.

While descriptors, memory or disk space are exhausted, every request fails in the same way.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from salt_g.errors import KeysUnavailable
from salt_g.transport.protocols import Postponed

log = logging.getLogger(__name__)


class Outage:
    """Postponement of requests that cannot be decided now; peers retry after their timeout."""

    def __init__(self) -> None:
        self._is_on = False

    @contextmanager
    def postponing(self, what: str, *errors: type[Exception]) -> Iterator[None]:
        """Raise Postponed in place of KeysUnavailable or `errors` in the block; the log names `what`."""
        causes: tuple[type[Exception], ...] = (KeysUnavailable, *errors)
        try:
            yield
        except causes as exc:
            if not self._is_on:
                log.error("%s are left unanswered until this works again: %s", what, exc)
            self._is_on = True
            raise Postponed(str(exc)) from exc
        if self._is_on:
            self._is_on = False
            log.info("%s are answered again", what)
