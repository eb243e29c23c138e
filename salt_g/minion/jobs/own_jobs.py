"""Jobs that a minion starts itself: scheduled, at startup, periodic."""

from __future__ import annotations

from salt_g.data import jid
from salt_g.minion.background.startup_states import startup_job
from salt_g.minion.jobs.running_jobs import JobOrigin, RunningJob, RunningJobs
from salt_g.minion.settings import OwnJobSettings
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
