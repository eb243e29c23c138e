"""Run of one job, from the start to the delivery of its return.

This file does the work around a function, such as firing the start event, calling returners and saving a
local copy of the return; `job_function.py` runs the function itself.
Source: wire specification, sections 7.2 and 13.2.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import SaltGError
from salt_g.minion.jobs.job_function import execute, failure, with_ended
from salt_g.minion.jobs.running_jobs import RunningJob
from salt_g.minion.settings import JobSettings
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.process.malloc_trim import release_memory
from salt_g.process.offload import offload
from salt_g.process.secret_hiding import hide
from salt_g.report.ended_jobs import ENDED, ended_text
from salt_g.shapes.loads import ReturnLoad
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)

#: Prefix of functions that run states, and after which memory is released.
LARGE = STATES = "state."


class JobRunner:
    """Runner of jobs; each job uses the call data of its origin, and returns to its origin."""

    def __init__(self, settings: JobSettings) -> None:
        self._settings = settings

    def run(self, job: RunningJob) -> None:
        """Run one job, for the minion and then for its resources, and deliver the returns."""
        if job.is_own:
            self._run_own(job)
        resource_manager = job.origin.resources if job.open else None
        if resource_manager is not None:
            resource_manager.work(job, self._call_returners)
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
        ret = self._execute(job, context)
        log.info("%s: %s ended with %s", job.jid, job.load["fun"], ret["retcode"])
        self._finish(job, ret, context)

    def _execute(self, job: RunningJob, context: CallContext) -> ReturnLoad:
        def fire_part(number: int, part: Any) -> None:
            self._fire_part(job, number, part)

        if not job.name.startswith(STATES):
            return execute(context, job.load, on_part=fire_part)
        sender = job.origin.read_sets
        reads = None
        if sender is not None:
            reads = sender.reads(job.load["fun"], job.load.get("arg"), context.opts)
        with job.origin.record_steps(job.jid) as record:
            context.services.states.steps = record
            ret = _run_states(job, context.replace(reads=reads), fire_part)
        packed = sender.packed(reads) if sender is not None and reads is not None else b""
        return {**ret, "read_set": packed} if packed else ret

    def _context(self, job: RunningJob) -> CallContext:
        """Return the context of a job, with fresh grains if `grains_refresh_pre_exec` is set."""
        call_data = job.origin.call_data
        if self._settings.grains_refresh_pre_exec:
            call_data.gather_grains()
        return call_data.context(job.name)

    def ended(self, job: RunningJob, number: int, ret: ReturnLoad | None) -> None:
        """Deliver the pending returns of a job ended by a signal; `ret` is the job's partial return."""
        if job.is_own:
            if ret is None:
                ret = failure(job.load, ended_text(number), retcode=ENDED + number)
            self._finish(job, with_ended(ret, job.ended), None)
        resource_manager = job.origin.resources if job.open else None
        if resource_manager is not None:
            resource_manager.ended(job, number, ENDED + number)

    def refused(self, job: RunningJob, why: str) -> None:
        """Deliver the return of a job that could not start."""
        log.error("%s: %s", job.jid, why)
        if job.is_own:
            self._finish(job, failure(job.load, f"ERROR: the job could not begin: {why}"), None)
        resource_manager = job.origin.resources if job.open else None
        if resource_manager is not None:
            resource_manager.refused(job, why)

    def _finish(self, job: RunningJob, ret: ReturnLoad, context: CallContext | None) -> None:
        ret = hide(ret)
        if "schedule" in job.load:
            ret["schedule"] = job.load["schedule"]
        if "return_jid" in job.load:
            ret["jid"] = job.load["return_jid"]
        if context is not None and job.load.get("ret"):
            _report_missing_returners(str(job.load["ret"]), ret, context)
        if self._settings.pub_ret and job.load.get("return_job", True):
            job.origin.deliver(ret)
        # The fields removed here are only for the master's history and index.
        ret = ret.copy()
        ret.pop("low_digests", None)
        ret.pop("read_set", None)
        # Cleared only now: a job ended while its return is written to disk would otherwise return nothing.
        job.is_own = False
        if self._settings.cache_jobs:
            self._keep(job.jid, ret)
        if context is not None:
            self._call_returners(job, {**ret, "id": self._settings.id}, context)

    def _call_returners(self, job: RunningJob, ret: ReturnLoad, context: CallContext) -> None:
        """Pass the return to the returners named by the job and the settings."""
        names = _names_in(f"{job.load.get('ret') or ''},{self._settings.returners}")
        load = hide(ret).copy()
        load.pop("plan", None)
        if job.load.get("ret_config"):
            load["ret_config"] = job.load["ret_config"]
        if job.load.get("ret_kwargs"):
            load["ret_kwargs"] = job.load["ret_kwargs"]
        with api.use(context):
            for name in names:
                _send_to(context, name, load)

    def _keep(self, jid: str, ret: ReturnLoad) -> None:
        """Save a return on this machine (`cache_jobs`); log errors."""
        folder = os.path.join(self._settings.cachedir, "minion_jobs", os.path.basename(jid))
        try:
            make_private_directory(folder)
            write_whole(os.path.join(folder, "return.p"), pack_bus(dict(ret)))
        except (OSError, SaltGError) as exc:
            log.error("%s: cannot save the return to %s: %s", jid, folder, exc)

    def _fire_start(self, job: RunningJob) -> None:
        load = job.load
        data = {name: load.get(name) for name in ("jid", "fun", "tgt", "tgt_type", "user")}
        data.update({name: load[name] for name in ("master_id", "metadata") if load.get(name)})
        job.origin.fire(f"salt/job/{job.jid}/start/{self._settings.id}", {**data, "id": self._settings.id})

    def _fire_part(self, job: RunningJob, number: int, part: Any) -> None:
        job.origin.fire(f"salt/job/{job.jid}/prog/{self._settings.id}/{number}", {"return": part})


def _run_states(job: RunningJob, context: CallContext, fire_part: Callable[[int, Any], None]) -> ReturnLoad:
    """Run a function that runs states; return its return, with digests if the origin wants them."""
    if not job.origin.wants_digests():
        return execute(context, job.load, on_part=fire_part)
    with context.services.states.digesting() as take:
        return execute(context, job.load, on_part=fire_part, take_digests=take)


def _names_in(text: str) -> list[str]:
    """Return the distinct names in a comma-separated text."""
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _report_missing_returners(named: str, ret: ReturnLoad, context: CallContext) -> None:
    """Add to a return a message about each returner that the job names but that is not available."""
    with api.use(context):
        returners = context.table("returners")
        missing = [name for name in _names_in(named) if f"{name}.returner" not in returners]
    if missing:
        messages = [f"returner {name!r} is not available and did not get this return" for name in missing]
        ret["places"] = [*ret.get("places", ()), *messages]


def _send_to(context: CallContext, name: str, load: ReturnLoad) -> None:
    function = context.table("returners").get(f"{name}.returner")
    if function is None:
        log.error("returner %s is not available", name)
        return
    try:
        function(dict(load))
    except SaltGError as exc:
        log.error("%s: returner %s failed: %s", load["jid"], name, exc)
    # A plugin may raise anything, including SystemExit; the job itself is not affected.
    except (Exception, SystemExit):
        log.exception("%s: returner %s failed", load["jid"], name)
