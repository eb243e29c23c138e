"""Waiting jobs of masters, kept on disk so that they survive a restart of the minion.

Jobs wait because `process_count_max` jobs are running, or because the minion is stopping.
Shapes: `<cachedir>/queues/<master>/job_queue/queued_<ns since 1970>_<jid>.p`, stock's names, holds bus-form
msgpack {"version": 1, "master": name, "since": s since 1970, "load": load}.
Bounds: a job has at most LARGEST bytes; larger jobs wait in memory only, as do all jobs if the disk is full.
Errors: disk errors are logged. Files that cannot be read are removed and logged.
"""

from __future__ import annotations

import glob
import logging
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from salt_g.errors import WireError
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.shapes.loads import JobLoad
from salt_g.wire.packing import pack_bus, unpack

log = logging.getLogger(__name__)

#: Maximum size of a job that is kept (bytes).
LARGEST = 256 * 1024
#: Version of the job files.
VERSION = 1


class QueuedJob(NamedTuple):
    """Job from an earlier run of the minion, and its waiting time in seconds."""

    load: JobLoad
    waited: float


class QueuedJobs:
    """Store of waiting jobs. Lifecycle: `open` at the start of the daemon."""

    def __init__(self, cachedir: str, *, clock: Callable[[], float] = time.time) -> None:
        self._folder = os.path.join(cachedir, "queues")
        self._clock = clock
        self._paths: dict[str, str] = {}
        #: Jobs that waited when an earlier run ended, by the name of their master.
        self._earlier: dict[str, list[QueuedJob]] = {}

    def open(self) -> list[str]:
        """Read the jobs saved by an earlier run; return their jids."""
        pattern = os.path.join(glob.escape(self._folder), "*", "job_queue", "queued_*.p")
        for path in sorted(glob.glob(pattern)):
            try:
                with open(path, "rb") as file:
                    master, queued = self._read(unpack(file.read(2 * LARGEST)))
            except (OSError, WireError, AttributeError, KeyError, TypeError, ValueError) as exc:
                log.error("%s: a waiting job cannot be read and is dropped: %s", path, exc)
                _unlink(path)
            else:
                self._paths[queued.load["jid"]] = path
                self._earlier.setdefault(master, []).append(queued)
        return list(self._paths)

    def take(self, master: str) -> list[QueuedJob]:
        """Return a master's jobs from an earlier run once, oldest first; they stay on disk until `remove`."""
        return self._earlier.pop(master, [])

    def put(self, master: str, load: JobLoad) -> bool:
        """Save a waiting job; return whether it is on disk."""
        jid = str(load["jid"])
        if jid in self._paths:
            return True
        data = pack_bus({"version": VERSION, "master": master, "since": self._clock(), "load": dict(load)})
        if len(data) > LARGEST:
            return False
        folder = os.path.join(self._folder, _as_name(master), "job_queue")
        path = os.path.join(folder, f"queued_{time.time_ns()}_{_as_name(jid)}.p")
        try:
            make_private_directory(folder)
            write_whole(path, data)
        except OSError as exc:
            log.warning("%s: a waiting job is not on disk and is lost if the minion stops: %s", jid, exc)
            return False
        self._paths[jid] = path
        return True

    def holds(self, jid: str) -> bool:
        """Return whether a job is on disk."""
        return jid in self._paths

    def remove(self, jid: str) -> None:
        """Remove a job that begins or was ended; ignore a job that is not on disk."""
        path = self._paths.pop(jid, None)
        if path is not None:
            _unlink(path)

    def _read(self, kept: Any) -> tuple[str, QueuedJob]:
        load = kept["load"]
        is_job = isinstance(load["jid"], str) and isinstance(load["arg"], list) and bool(load["fun"])
        if kept["version"] != VERSION or not is_job:
            raise ValueError("not a job of this version")
        return str(kept["master"]), QueuedJob(load, max(0.0, self._clock() - float(kept["since"])))


def _as_name(text: str) -> str:
    """Return a text as a safe file name, since a master's name may contain slashes."""
    return text.replace(os.sep, "_").lstrip(".") or "_"


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except OSError as exc:
        log.error("%s: cannot remove the file of a waiting job: %s", path, exc)
