"""The files of running jobs in `<cachedir>/proc`, which other programs of this machine read.

Why its own file: `salt-g call saltutil.running`, the lock of state runs and stock's tools all read them.
Shapes: `<cachedir>/proc/<jid>` holds msgpack {jid, fun, arg, tgt, tgt_type, ret, user, pid, started};
`started` is the start tick of the process, so that a new process with an old pid is no job.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping
from typing import Any

from salt_g.disk import PRIVATE_FILE, make_private_directory, replacing
from salt_g.state.lock import start_tick
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)


class ProcFiles:
    """The job files of one daemon; those that an earlier one left behind go at its start."""

    def __init__(self, cachedir: str) -> None:
        self._folder = os.path.join(cachedir, "proc")

    def clear(self) -> None:
        """Remove files of jobs whose process is gone, and make the folder."""
        make_private_directory(self._folder)
        for name in os.listdir(self._folder):
            if not self._lives(name):
                self.remove(name)

    def write(self, job: Mapping[str, Any]) -> None:
        """Tell of a job; a full disk keeps nobody from running it."""
        record = {**job, "started": start_tick(os.getpid()), "holds": False}
        try:
            with replacing(self._path(str(job["jid"])), new_mode=PRIVATE_FILE) as file:
                file.write(pack_bus(record))
        except OSError as exc:
            log.warning("%s: its file cannot be written: %s", job["jid"], exc)

    def remove(self, jid: str) -> None:
        """Forget a job that has ended."""
        with contextlib.suppress(OSError):
            os.unlink(self._path(jid))

    def _path(self, jid: str) -> str:
        # A jid is digits; anything else must not name a file elsewhere.
        return os.path.join(self._folder, os.path.basename(jid))

    def _lives(self, name: str) -> bool:
        from salt_g.state.lock import read_job

        job = read_job(self._path(name))
        if job is None or job["pid"] == os.getpid():
            return False
        tick = start_tick(job["pid"])
        return tick is not None and job.get("started") in (None, tick)
