"""Format of jobs for users, and progress lines of a run."""

from __future__ import annotations

from salt_g.api import services
from salt_g.data import jid as jids
from salt_g.report.job_summary import summary
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import JobLoad, JobSummary

_UNKNOWN: JobSummary = {"Error": "Cannot contact returner or no job with this jid"}


def described(jid: str, load: JobLoad) -> JobSummary:
    """Return a load in the format of job lists."""
    shown = summary(load) if load else _UNKNOWN.copy()
    if load and "Minions" in load:
        shown["Minions"] = load["Minions"]
    shown["StartTime"] = jids.started_at(jid) if jids.is_jid(jid[: jids.LENGTH]) else ""
    return shown


def print_progress(message: str) -> None:
    """Send a progress line to the client of this run."""
    services(MasterServices).progress.fire({"message": message})
