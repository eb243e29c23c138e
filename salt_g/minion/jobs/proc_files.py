"""Files of running jobs in `<cachedir>/proc`, for other programs on this machine.

The files are read by `salt-g call saltutil.running`, the lock of state runs and stock's tools.
Shapes: `<cachedir>/proc/<jid>` holds msgpack {jid, fun, arg, tgt, tgt_type, ret, user, pid, started, master};
`started` is the start tick of the process, so that a new process with a reused pid is not taken for the job.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.process.disk import PRIVATE_FILE, make_private_directory, replacing
from salt_g.shapes.loads import RunningJobLoad
from salt_g.state.run.lock import start_tick
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)


class InterruptedJob(NamedTuple):
    """Job whose minion process ended while it ran, and the name of its master."""

    master: str
    job: Mapping[str, Any]


class ProcFiles:
    """Job files of one daemon; stale files of an earlier run are removed at the daemon's start."""

    def __init__(self, cachedir: str) -> None:
        self._folder = os.path.join(cachedir, "proc")
        self._disk_is_well = True
        #: Jobs that the end of an earlier run interrupted, each with the master that it belongs to.
        self.interrupted: list[InterruptedJob] = []

    def clear(self) -> list[str]:
        """Create the folder and remove files of jobs whose process is gone; return the names of all files."""
        try:
            make_private_directory(self._folder)
            names = os.listdir(self._folder)
        except OSError as exc:
            self._note_trouble(exc)
            return []
        for name in names:
            if not self._lives(name):
                self._note_interrupted(name)
                self.remove(name)
        return names

    def write(self, job: RunningJobLoad, master: str = "") -> None:
        """Write the file of a job; if that fails (full disk), log it once and let the job run.

        `master` is the name of the master that awaits the job's return, '' if none does.
        """
        record = {**job, "started": start_tick(os.getpid()), "holds": False, "master": master}
        try:
            make_private_directory(self._folder)
            with replacing(self._path(str(job["jid"])), new_mode=PRIVATE_FILE) as file:
                file.write(pack_bus(record))
        except OSError as exc:
            self._note_trouble(exc)
        else:
            self._disk_is_well = True

    def remove(self, jid: str) -> None:
        """Remove the file of an ended job."""
        with contextlib.suppress(OSError):
            os.unlink(self._path(jid))

    def _note_interrupted(self, name: str) -> None:
        """Record a job that was interrupted with its process, if a master awaits its return."""
        from salt_g.state.run.lock import read_job

        job: Any = read_job(self._path(name))
        if job and isinstance(job.get("master"), str) and job["master"]:
            self.interrupted.append(InterruptedJob(job["master"], job))

    def _note_trouble(self, exc: OSError) -> None:
        if self._disk_is_well:
            self._disk_is_well = False
            log.warning("cannot list running jobs for other programs: %s", exc)

    def _path(self, jid: str) -> str:
        # A jid consists of digits; any other value must not name a file in another directory.
        return os.path.join(self._folder, os.path.basename(jid))

    def _lives(self, name: str) -> bool:
        from salt_g.state.run.lock import read_job

        job = read_job(self._path(name))
        if job is None or job["pid"] == os.getpid():
            return False
        tick = start_tick(job["pid"])
        return tick is not None and job.get("started") in (None, tick)
