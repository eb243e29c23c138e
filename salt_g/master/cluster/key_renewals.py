"""New publish keys for revoked minions: one at the first of a command, and one after its last.

Whether a revoked minion knows the present key only the master knows that it signed in at, so each may. But a
new key means a sign-in of every minion, and a command may revoke hundreds: all but the first share one key,
which is made when the rows of all of them are in the log, before the command returns. Other masters read in
that order, so none of these minions can have signed in for it.
Units: seconds of the monotonic clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable

#: Longest time after the last revocation until the key that it shares, where no command ends.
LONGEST = 1.0


class KeyRenewals:
    """Outstanding renewals. Lifecycle: `note` for each revocation, `renew_pending` after a command."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self._pending: Callable[[], None] | None = None

    def note(self, renew: Callable[[], None], *, is_new: bool) -> None:
        """Make a new key, or leave it pending for a minion that was revoked soon after another one.

        `is_new`: this revocation has made one already, which counts for earlier ones, too.
        """
        if is_new:
            self._pending = None
        elif self._last is None:
            renew()
        else:
            self._pending = renew
        self._last = self._clock()

    def renew_pending(self) -> None:
        """Make the pending key; the next revocation is a first one."""
        pending, self._pending, self._last = self._pending, None, None
        if pending is not None:
            pending()

    def renew_overdue(self) -> None:
        """Make the pending key of a command that has not ended, or failed."""
        if self._last is not None and self._clock() - self._last > LONGEST:
            self.renew_pending()
