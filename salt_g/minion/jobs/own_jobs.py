"""Jobs that a minion starts itself: scheduled, at startup, periodic."""

from __future__ import annotations

from typing import Any

from salt_g.data import jid
from salt_g.minion.jobs.running_jobs import JobOrigin, RunningJob, RunningJobs
from salt_g.minion.settings import OwnJobSettings, StartupStateSettings
from salt_g.shapes.loads import JobLoad


class OwnJobs:
    """Starter of the minion's own jobs."""

    def __init__(self, settings: OwnJobSettings, jobs: RunningJobs) -> None:
        self._settings = settings
        self._jobs = jobs

    def run(self, origin: JobOrigin, load: JobLoad) -> str:
        """Start a job with the call data of `origin`; return the jid, which is new unless `load` has one."""
        own: JobLoad = {
            "tgt": self._settings.id,
            "tgt_type": "glob",
            "ret": "",
            "user": self._settings.user,
            "arg": [],
            "jid": jid.make(),
        }
        job = RunningJob({**own, **load}, origin)
        self._jobs.start(job)
        return job.jid

    def run_startup_states(self, origin: JobOrigin) -> None:
        """Start the job for the startup states named in the settings, if any."""
        load = startup_job(self._settings.startup)
        if load is not None:
            self.run(origin, load)


def startup_job(settings: StartupStateSettings) -> JobLoad | None:
    """Return the load of the job to run at the start, or None if there is none.

    The master assigns a new jid to the job's return (`req`), because it did not publish the job.
    """
    wanted = settings.startup_states
    if not wanted:
        return None
    arg: list[Any]
    if wanted == "sls":
        fun, arg = "state.sls", [list(settings.sls_list)]
    elif wanted == "top":
        fun, arg = "state.top", [settings.top_file]
    else:
        fun, arg = "state.highstate", []
    return {"fun": fun, "arg": arg, "ret": settings.ext_job_cache, "return_jid": "req"}
