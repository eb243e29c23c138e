"""Pauses of state runs, which hold a run before a state until it is resumed or ended.

The paused run and the resuming command are two processes that communicate through one small file.

Shapes: `<cachedir>/state_pause/<jid>` holds msgpack {state id or `__all__`: {duration, kill}}.
Units: seconds.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Callable

from salt_g.process.disk import make_private_directory, write_whole
from salt_g.shapes import Pause

log = logging.getLogger(__name__)

#: Entry that applies to the next state, whatever its ID is.
ALL = "__all__"
#: Polling interval of a paused run (s).
POLL_INTERVAL = 1.0

Entries = dict[str, Pause]


class Pauses:
    """Pauses of all state runs of a minion."""

    def __init__(self, cachedir: str) -> None:
        self._folder = os.path.join(cachedir, "state_pause")

    def read(self, jid: str) -> Entries:
        """Return the pauses of a run, or {} if it has none or if its file is unreadable."""
        import msgpack  # Imported lazily: only needed by a paused run.

        try:
            with open(self._path(jid), "rb") as file:
                entries: Entries = msgpack.unpackb(file.read())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as exc:
            log.error("%s: cannot read the pause file: %s", jid, exc)
            return {}
        return entries

    def write(self, jid: str, entries: Entries) -> None:
        """Replace the pauses of a run."""
        import msgpack

        make_private_directory(self._folder)
        write_whole(self._path(jid), msgpack.packb(entries))

    def pause(self, jid: str, state_id: str | None = None, *, duration: int | None = None) -> None:
        """Pause a run before a state (the next one if None), for `duration` seconds if given."""
        entry: Pause = {"duration": int(duration)} if duration else {}
        entries = self.read(jid)
        self.write(jid, {**entries, state_id or ALL: {**entries.get(state_id or ALL, {}), **entry}})

    def kill(self, jid: str, state_id: str | None = None) -> None:
        """End a run before a state (the next one if None)."""
        entries = self.read(jid)
        self.write(jid, {**entries, state_id or ALL: {**entries.get(state_id or ALL, {}), "kill": True}})

    def resume(self, jid: str, state_id: str | None = None) -> None:
        """Remove a run's pause before a state; without a state, remove all its pauses."""
        entries = self.read(jid)
        self.write(jid, {key: entry for key, entry in entries.items() if state_id and key != state_id})

    def forget(self, jid: str) -> None:
        """Remove the pauses of a finished run."""
        with contextlib.suppress(OSError):
            os.unlink(self._path(jid))

    def jids(self) -> list[str]:
        """Return the jids of runs that have pauses."""
        try:
            return sorted(os.listdir(self._folder))
        except FileNotFoundError:
            return []

    def may_run(
        self,
        jid: str,
        state_id: str,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> bool:
        """Wait while a state is paused; return False if the run must end before it."""
        if not os.path.exists(self._path(jid)):
            return True
        start = clock()
        while True:
            entries = self.read(jid)
            entry = entries.get(state_id, entries.get(ALL))
            if entry is None:
                return True
            if "kill" in entry:
                return False
            if "duration" in entry and clock() - start > entry["duration"]:
                return True
            sleep(POLL_INTERVAL)

    def _path(self, jid: str) -> str:
        # A jid consists of digits; anything else could name a file elsewhere.
        return os.path.join(self._folder, os.path.basename(jid))
