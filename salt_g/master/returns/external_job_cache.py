"""Copies of jobs and returns in returners (`ext_job_cache`, `master_job_cache`).

The master's guarantees rest on its own store; returners are called on job events, so a slow or missing
one delays no minion and no command line. Returners with `clean_old_jobs` are called regularly to
remove old jobs.
Bounds: the subscriber's ring (`event/bus.py`): a returner that is too slow loses events, counted and logged.
Source: stock docs "Job cache"; with `ext_job_cache` the minions call the returner themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.event.bus import Bus, Subscription
from salt_g.event.ring import Event
from salt_g.master.background import maintenance
from salt_g.master.background.maintenance import MaintenanceTask
from salt_g.master.settings import JobCacheSettings
from salt_g.process.supervisor import Supervisor

log = logging.getLogger(__name__)

#: Stock's name for the master's own store.
OWN = "local_cache"
_PREFIX = "salt/job/"
#: Interval between two removals of old jobs (s).
CLEANING = 3600.0


class ExternalJobCache:
    """Returners called for jobs. Lifecycle: `start`, ended by its supervisor."""

    def __init__(
        self,
        settings: JobCacheSettings,
        *,
        bus: Bus,
        context: Callable[[], CallContext],
        supervisor: Supervisor,
    ) -> None:
        ours = settings.master_job_cache or OWN
        theirs = settings.ext_job_cache
        #: Returners that receive the loads of jobs, and those that receive returns.
        self.of_loads = [name for name in dict.fromkeys((theirs, ours)) if name and name != OWN]
        self.of_returns = [ours] if ours != OWN else []
        self._bus = bus
        self._context = context
        self._supervisor = supervisor

    def start(self) -> None:
        """Start calling the configured returners, if there are any."""
        if self.of_loads:
            watch = self._bus.subscribe_by(_is_wanted, name="job cache returners", is_own=True)
            self._supervisor.spawn(self._follow, watch, name="job cache returners")
            cleaning = MaintenanceTask("old jobs of returners", CLEANING, self.clean)
            maintenance.begin([cleaning], self._supervisor)

    def clean(self) -> None:
        """Call `clean_old_jobs` of the returners that have it."""
        with api.use(self._context()) as context:
            table = context.table("returners")
            able = [name for name in self.of_loads if f"{name}.clean_old_jobs" in table]
        self._call(able, "clean_old_jobs", "old jobs")

    def pass_on(self, event: Event) -> None:
        """Pass one event to the returners."""
        jid, data = str(event.data.get("jid", "")), dict(event.data)
        data.pop("_stamp", None)
        if event.tag.endswith("/new"):
            minions = data.get("minions") or []
            self._call(self.of_loads, "prep_jid", jid, passed_jid=jid)
            self._call(self.of_loads, "save_load", jid, jid, data, minions)
        elif jid and jid != "nocache":
            self._call(self.of_returns, "returner", jid, data)

    def _follow(self, watch: Subscription) -> None:
        for event in watch:
            self.pass_on(event)

    def _call(self, names: list[str], function: str, jid: str, *args: Any, **kwargs: Any) -> None:
        if not names:
            return
        with api.use(self._context()) as context:
            table = context.table("returners")
            for name in names:
                found = table.get(f"{name}.{function}")
                if found is None:
                    log.error("%s: the job cache %s has no function %s here", jid, name, function)
                    continue
                try:
                    found(*args, **kwargs)
                # A plugin may raise anything, and may call sys.exit; the job itself is in the master's store.
                except (Exception, SystemExit) as exc:
                    log.error("%s: %s.%s failed: %s", jid, name, function, exc)


def _is_wanted(tag: str) -> bool:
    if not tag.startswith(_PREFIX):
        return False
    word = tag[len(_PREFIX) :].split("/")[1:2]
    return word == ["ret"] or tag.endswith("/new")
