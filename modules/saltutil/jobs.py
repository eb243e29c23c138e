"""Jobs running on this minion.

Shapes: a job is a mapping with `jid`, `fun`, `arg`, `tgt`, `tgt_type`, `ret`, `user`, `pid` (of its
program, or None while no program runs, because jobs are not processes). A running minion keeps
its jobs in memory; other programs read the file of each job in `<cachedir>/proc` (msgpack).
"""

from __future__ import annotations

import fnmatch
import logging
import os
import signal
from typing import Any

from salt_g.api import current, opts, services
from salt_g.errors import CommandExecutionError

log = logging.getLogger(__name__)

#: Keys in the file of a job that are not returned.
_INTERNAL = ("started", "holds", "master")


def running() -> list[dict[str, Any]]:
    """Return the jobs running on this minion, except the one that makes this call.

    Example::

        salt-g saltutil.running
    """
    own = str(current().job.get("jid", ""))
    return [job for job in _jobs() if str(job.get("jid")) != own]


def is_running(fun: str) -> list[dict[str, Any]]:
    """Return the running jobs whose function matches a glob.

    Example::

        salt-g saltutil.is_running state.highstate
    """
    return [job for job in running() if fnmatch.fnmatchcase(str(job.get("fun", "")), fun)]


def find_job(jid: str) -> dict[str, Any]:
    """Return the running job with this id, or {} if there is none.

    Example::

        salt-g saltutil.find_job 20240101120000000000
    """
    return next((job for job in running() if str(job.get("jid")) == str(jid)), {})


def signal_job(jid: str, sig: int) -> str:
    """Send a signal to the programs of a job; return what was done, as text, or '' for an unknown job.

    SIGTERM, SIGKILL and SIGINT also end the job, which then returns that it was terminated.

    Example::

        salt-g saltutil.signal_job 20240101120000000000 15
    """
    minion = getattr(services(), "jobs", None)
    if minion is not None:
        answer: str = minion.signal(str(jid), int(sig))
        return answer
    job = find_job(jid)
    if not job:
        return ""
    if job["pid"] is None:
        order = f"salt-g {opts.get('id')} saltutil.signal_job {jid} {sig}"
        raise CommandExecutionError(f"job {jid} runs inside the minion; on the master: {order}")
    try:
        os.kill(int(job["pid"]), int(sig))
    except ProcessLookupError:
        return f"Job {jid} was not running and job data has been cleaned up"
    return f"Signal {int(sig)} sent to job {jid} at pid {job['pid']}"


def term_job(jid: str) -> str:
    """Send SIGTERM to a job.

    Example::

        salt-g saltutil.term_job 20240101120000000000
    """
    return signal_job(jid, signal.SIGTERM)


def kill_job(jid: str) -> str:
    """Send SIGKILL to a job.

    Example::

        salt-g saltutil.kill_job 20240101120000000000
    """
    return signal_job(jid, signal.SIGKILL)


def signal_all_jobs(sig: int) -> list[str]:
    """Send a signal to all running jobs.

    Example::

        salt-g saltutil.signal_all_jobs 15
    """
    return [signal_job(job["jid"], sig) for job in running()]


def term_all_jobs() -> list[str]:
    """Send SIGTERM to all running jobs.

    Example::

        salt-g saltutil.term_all_jobs
    """
    return [term_job(job["jid"]) for job in running()]


def kill_all_jobs() -> list[str]:
    """Send SIGKILL to all running jobs.

    Example::

        salt-g saltutil.kill_all_jobs
    """
    return [kill_job(job["jid"]) for job in running()]


def _jobs() -> list[dict[str, Any]]:
    minion = getattr(services(), "jobs", None)
    if minion is not None:
        jobs: list[dict[str, Any]] = minion.running()
        return jobs
    folder = os.path.join(str(opts["cachedir"]), "proc")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    found = (_read(os.path.join(folder, name)) for name in names if not name.startswith("."))
    return [job for job in found if job is not None]


def _read(path: str) -> dict[str, Any] | None:
    """Return the job in a file; None if its process is gone (the file is then removed) or it has no job."""
    import msgpack  # Imported lazily: needed only if a job has left a file.

    try:
        with open(path, "rb") as file:
            job = dict(msgpack.unpackb(file.read(), strict_map_key=False))
        os.kill(int(job["pid"]), 0)
    except ProcessLookupError:
        os.unlink(path)
        return None
    except (OSError, ValueError, KeyError, TypeError, msgpack.UnpackException):
        log.warning("%s is not the file of a job", path)
        return None
    if job["pid"] == _daemon_pid():
        # A signal to the minion's process would end the minion and all jobs.
        job["pid"] = None
    return {name: value for name, value in job.items() if name not in _INTERNAL}


def _daemon_pid() -> int | None:
    """Return the pid in the minion's pid file, or None if there is none."""
    try:
        with open(str(opts.get("pidfile")), encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None
