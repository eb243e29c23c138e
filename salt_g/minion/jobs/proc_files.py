"""Files of running jobs in `<cachedir>/proc`, for other programs of this machine.

Read by `salt-g call saltutil.running`, the lock of state runs and stock's tools.
Shapes: `<cachedir>/proc/<jid>` holds msgpack {jid, fun, arg, tgt, tgt_type, ret, user, pid, started};
`started` is the start tick of the process, so that a new process with a reused pid is not taken for the job.
"""

from __future__ import annotations

import contextlib
import logging
import os

from salt_g.process.disk import PRIVATE_FILE, make_private_directory, replacing
from salt_g.shapes.loads import RunningJobLoad
from salt_g.state.run.lock import start_tick
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)


class ProcFiles:
    """Job files of one daemon; stale ones of an earlier run are removed at its start."""

    def __init__(self, cachedir: str) -> None:
        self._folder = os.path.join(cachedir, "proc")
        self._disk_is_well = True

    def clear(self) -> list[str]:
        """Remove files of jobs whose process is gone, and create the folder; return all names."""
        try:
            make_private_directory(self._folder)
            names = os.listdir(self._folder)
        except OSError as exc:
            self._note_trouble(exc)
            return []
        for name in names:
            if not self._lives(name):
                self.remove(name)
        return names

    def write(self, job: RunningJobLoad) -> None:
        """Write the file of a job; a full disk does not prevent the job, and is logged once."""
        record = {**job, "started": start_tick(os.getpid()), "holds": False}
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

    def _note_trouble(self, exc: OSError) -> None:
        if self._disk_is_well:
            self._disk_is_well = False
            log.warning("cannot list running jobs for other programs: %s", exc)

    def _path(self, jid: str) -> str:
        # A jid is digits; anything else must not name a file elsewhere.
        return os.path.join(self._folder, os.path.basename(jid))

    def _lives(self, name: str) -> bool:
        from salt_g.state.run.lock import read_job

        job = read_job(self._path(name))
        if job is None or job["pid"] == os.getpid():
            return False
        tick = start_tick(job["pid"])
        return tick is not None and job.get("started") in (None, tick)
