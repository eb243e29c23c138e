"""The jobs that run on this minion.

Shapes: a job is a mapping with `jid`, `fun`, `arg`, `pid`, ... as its file in `<cachedir>/proc` has it.
"""

from __future__ import annotations

import fnmatch
import json
import logging
import os
import signal
from typing import Any

from salt_g.api import current, opts

log = logging.getLogger(__name__)


def running() -> list[dict[str, Any]]:
    """Return the jobs that run here now, this one left out.

    Example::

        salt-g saltutil.running
    """
    folder = os.path.join(str(opts["cachedir"]), "proc")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    jobs = (_read(os.path.join(folder, name)) for name in names)
    own = str(current().job.get("jid", ""))
    return [job for job in jobs if job is not None and str(job.get("jid")) != own]


def is_running(fun: str) -> list[dict[str, Any]]:
    """Return the running jobs whose function matches a glob.

    Example::

        salt-g saltutil.is_running state.highstate
    """
    return [job for job in running() if fnmatch.fnmatchcase(str(job.get("fun", "")), fun)]


def find_job(jid: str) -> dict[str, Any]:
    """Return the running job with this id, {} when there is none.

    Example::

        salt-g saltutil.find_job 20240101120000000000
    """
    return next((job for job in running() if str(job.get("jid")) == str(jid)), {})


def signal_job(jid: str, sig: int) -> str:
    """Send a signal to the process group of a job; return what was done, '' without such a job.

    Example::

        salt-g saltutil.signal_job 20240101120000000000 15
    """
    job = find_job(jid)
    if not job:
        return ""
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


def _read(path: str) -> dict[str, Any] | None:
    """Return the job of a file, None when its process is gone; its file goes then as well."""
    try:
        with open(path, encoding="utf-8") as file:
            job = json.load(file)
        os.kill(int(job["pid"]), 0)
    except ProcessLookupError:
        os.unlink(path)
        return None
    except (OSError, ValueError, KeyError, TypeError):
        log.warning("%s is not the file of a job", path)
        return None
    return dict(job)
