"""Running jobs: on the master, and on the minions."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts, services
from salt_g.runners.jobs.job_source import source
from salt_g.runners.jobs.shown import described, print_progress
from salt_g.services.daemons import MasterServices
from salt_g.shapes.loads import RENEWAL_USER, CallEvent


def master() -> list[CallEvent]:
    """Return the runner and wheel functions running on the master.

    Example::

        salt-g run jobs.master
    """
    return list(services(MasterServices).calls.running())


def active(display_progress: bool = False) -> dict[str, dict[str, Any]]:
    """Return {jid: job} of the jobs on the minions, with `Running` ([{id: pid}]) and `Returned` ([id]).

    The master's own notices, which make minions sign in again after a key was deleted, are not listed.

    Example::

        salt-g run jobs.active
    """
    answers = services(MasterServices).client.cmd("*", "saltutil.running", timeout=opts["timeout"])
    if display_progress:
        print_progress(f"Attempting to contact minions: {list(answers)}")
    found: dict[str, dict[str, Any]] = {}
    for id, running in answers.items():
        if display_progress:
            print_progress(f"Received reply from minion {id}")
        for job in running if isinstance(running, list) else ():
            if job.get("user") == RENEWAL_USER:
                continue
            entry = found.setdefault(
                job["jid"], {**described(job["jid"], job), "Running": [], "Returned": []}
            )
            entry["Running"].append({id: job.get("pid")})
    kept = source()
    for jid, entry in found.items():
        entry["Returned"] = list(kept.get_jid(jid))
    return found
