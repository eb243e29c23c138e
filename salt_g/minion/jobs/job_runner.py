"""Life of one job from its start to its delivered return.

The work around a function (the start event, its returners, the local copy of its return) does not depend on
the function; `job_function.py` runs the function itself.
Source: wire specification, sections 7.2 and 13.2.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import SaltGError
from salt_g.minion.call_data import CallData
from salt_g.minion.jobs.job_function import execute, failure
from salt_g.minion.jobs.running_jobs import RunningJob
from salt_g.minion.resources.resource_manager import ResourceManager
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.process.malloc_trim import release_memory
from salt_g.process.offload import offload
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)

#: Retcodes of jobs ended by a signal: as in shells, 128 and the signal's number.
ENDED = 128

#: Prefixes of functions after which memory is released.
LARGE = "state."


class JobRunner:
    """Runner of jobs; `facts_of` returns the call data of the master that published one.

    `deliver(master, load)` queues returns, `fire(master, tag, data)` sends events to a master.
    """

    def __init__(
        self,
        opts: Mapping[str, Any],
        *,
        facts_of: Callable[[str], CallData],
        deliver: Callable[[str, Mapping[str, Any]], None],
        fire: Callable[[str, str, Mapping[str, Any]], None],
        resources_of: Callable[[str], ResourceManager | None] = lambda master: None,
    ) -> None:
        self._opts = opts
        self._facts_of = facts_of
        self._deliver = deliver
        self._fire = fire
        self._resources_of = resources_of

    def run(self, job: RunningJob) -> None:
        """Run one job, for the minion and then for its resources, and deliver the returns."""
        if job.is_own:
            self._run_own(job)
        managing = self._resources_of(job.master) if job.open else None
        if managing is not None:
            managing.work(job, self._call_returners)
        if job.name.startswith(LARGE):
            offload(release_memory)

    def _run_own(self, job: RunningJob) -> None:
        if job.load.get("start_event"):
            self._fire_start(job)
        try:
            context = self._context(job)
        except (SaltGError, OSError) as exc:
            self._finish(job, failure(job.load, f"ERROR: the job could not begin: {exc}"), None)
            return
        context = context.replace(job={**job.as_map(), "fun": job.name})
        log.info("%s: %s started", job.jid, job.load["fun"])
        ret = execute(context, job.load, on_part=lambda number, part: self._fire_part(job, number, part))
        log.info("%s: %s ended with %s", job.jid, job.load["fun"], ret["retcode"])
        self._finish(job, ret, context)

    def _context(self, job: RunningJob) -> CallContext:
        """Return the context of a job, with fresh grains if `grains_refresh_pre_exec` is set."""
        facts = self._facts_of(job.master)
        if self._opts.get("grains_refresh_pre_exec"):
            facts.gather_grains()
        return facts.context(job.name)

    def ended(self, job: RunningJob, number: int) -> None:
        """Deliver the pending returns of a job ended by a signal."""
        if job.is_own:
            text = f"ERROR: the job was ended by signal {number}"
            self._finish(job, failure(job.load, text, retcode=ENDED + number), None)
        managing = self._resources_of(job.master) if job.open else None
        if managing is not None:
            managing.ended(job, number, ENDED + number)

    def refused(self, job: RunningJob, why: str) -> None:
        """Deliver the return of a job that could not start."""
        log.error("%s: %s", job.jid, why)
        if job.is_own:
            self._finish(job, failure(job.load, f"ERROR: the job could not begin: {why}"), None)
        managing = self._resources_of(job.master) if job.open else None
        if managing is not None:
            managing.refused(job, why)

    def _finish(self, job: RunningJob, ret: dict[str, Any], context: CallContext | None) -> None:
        if "schedule" in job.load:
            ret["schedule"] = job.load["schedule"]
        if "return_jid" in job.load:
            ret["jid"] = job.load["return_jid"]
        if self._opts.get("pub_ret", True) and job.load.get("return_job", True):
            self._deliver(job.master, ret)
        # Not earlier: a job ended while its return is written to disk would return nothing.
        job.is_own = False
        if self._opts.get("cache_jobs"):
            self._keep(job.jid, ret)
        if context is not None:
            self._call_returners(job, {**ret, "id": self._opts["id"]}, context)

    def _call_returners(self, job: RunningJob, ret: Mapping[str, Any], context: CallContext) -> None:
        """Pass the return to the returners named by the job and the settings."""
        named = f"{job.load.get('ret') or ''},{self._opts.get('return') or ''}"
        names = dict.fromkeys(name.strip() for name in named.split(",") if name.strip())
        options = {name: job.load[name] for name in ("ret_config", "ret_kwargs") if job.load.get(name)}
        load = {**ret, **options}
        with api.use(context):
            for name in names:
                _send_to(context, name, load)

    def _keep(self, jid: str, ret: Mapping[str, Any]) -> None:
        """Save a return on this machine (`cache_jobs`)."""
        folder = os.path.join(str(self._opts["cachedir"]), "minion_jobs", os.path.basename(jid))
        try:
            make_private_directory(folder)
            write_whole(os.path.join(folder, "return.p"), pack_bus(dict(ret)))
        except (OSError, SaltGError) as exc:
            log.error("%s: cannot save the return to %s: %s", jid, folder, exc)

    def _fire_start(self, job: RunningJob) -> None:
        load = job.load
        data = {name: load.get(name) for name in ("jid", "fun", "tgt", "tgt_type", "user")}
        data.update({name: load[name] for name in ("master_id", "metadata") if load.get(name)})
        self._fire(
            job.master, f"salt/job/{job.jid}/start/{self._opts['id']}", {**data, "id": self._opts["id"]}
        )

    def _fire_part(self, job: RunningJob, number: int, part: Any) -> None:
        self._fire(job.master, f"salt/job/{job.jid}/prog/{self._opts['id']}/{number}", {"return": part})


def _send_to(context: CallContext, name: str, load: Mapping[str, Any]) -> None:
    function = context.table("returners").get(f"{name}.returner")
    if function is None:
        log.error("returner %s is not available", name)
        return
    try:
        function(dict(load))
    # A plugin may raise anything, including SystemExit; the job itself has succeeded.
    except (Exception, SystemExit):
        log.exception("%s: returner %s failed", load["jid"], name)
