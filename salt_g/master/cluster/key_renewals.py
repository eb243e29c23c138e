"""Renewal of the publish key: once after the first revocation of a command, and once after the last.

Only the master at which a revoked minion signed in knows whether it has the current key, so any other
master must assume that it has. But a new key makes every minion sign in, and one command may revoke hundreds
of minions. So all but the first share one new key, which is made before the command returns, after all their
rows are in the log. Other masters read the log in that order, so none of these minions can have signed in for
the new key.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable

#: Longest time from the last revocation to the shared new key if no command ends.
LONGEST = 1.0


class KeyRenewals:
    """Outstanding renewals. Lifecycle: `note` after each revocation, `renew_pending` after a command."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self._pending: Callable[[], None] | None = None

    def note(self, renew: Callable[[], None], *, is_new: bool) -> None:
        """Make a new key, or leave it pending if this is not the first revocation of a command.

        `is_new` means that this revocation has already made a new key, which also serves earlier ones.
        """
        if is_new:
            self._pending = None
        elif self._last is None:
            renew()
        else:
            self._pending = renew
        self._last = self._clock()

    def renew_pending(self) -> None:
        """Make the pending key; the next revocation counts as the first of a command."""
        pending, self._pending, self._last = self._pending, None, None
        if pending is not None:
            pending()

    def renew_overdue(self) -> None:
        """Make the pending key of a command that takes too long or has failed."""
        if self._last is not None and self._clock() - self._last > LONGEST:
            self.renew_pending()
