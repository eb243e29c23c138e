"""Resource manager of one master connection: discovery, registration, lease renewal, jobs.

A minion without resources loads only this file; discovery and execution are imported when pillar names
resources.
Units: seconds.
Source: resources specification, sections 5 and 8; wire specification, section 15.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from salt_g.errors import SaltGError
from salt_g.minion.call_data import CallData
from salt_g.minion.jobs.running_jobs import CallReturners, RunningJob
from salt_g.minion.settings import MinionResourceSettings
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.secret_hiding import learned
from salt_g.report.ended_jobs import ended_text
from salt_g.resource_model import pillar_settings
from salt_g.resource_model.pillar_requests import MOST, own_pillars_in, request
from salt_g.shapes.loads import JobLoad, ResourcesLoad, ReturnLoad

if TYPE_CHECKING:
    from salt_g.minion.resources.fan_out import FanOut
    from salt_g.minion.resources.types import ResourceTypes
    from salt_g.resource_model.srn import Srn

log = logging.getLogger(__name__)

#: Pause before an unanswered request is repeated (s).
RETRY_PAUSE = 5.0
#: Maximum pause between two renewals of a minion that is only on standby (s).
STANDBY_PAUSE = 10.0
#: Maximum number of error notes in one request.
MAX_TROUBLE = 1000
#: Registration of a minion without resources, which replaces any earlier registration.
NOTHING: ResourcesLoad = {"resources": {}, "resource_grains": {}}


class ResourceManager:
    """Manager of resources. Lifecycle: `run` in a greenlet; `refresh`, `register` and `renew` trigger work.

    `types` returns the types shared by all masters; `returns_many(n)` is called with the number of returns
    that the master accepts at once.
    """

    def __init__(
        self,
        settings: MinionResourceSettings,
        call_data: CallData,
        *,
        types: Callable[[], ResourceTypes],
        deliver: Callable[[Iterable[ReturnLoad]], None],
        returns_many: Callable[[int], None],
    ) -> None:
        self._settings = settings
        self._call_data = call_data
        self._types = types
        self._deliver = deliver
        self._returns_many = returns_many
        self._fan_out: FanOut | None = None
        self._loop = PeriodicLoop(
            "discovery or registration of resources", self._round, self._pause, first=self._pause
        )
        self._is_stale = False
        self._is_unknown = False
        self._is_due = False
        self._makes_pillars = False
        self._has_pillars: set[Srn] = set()
        self._next_renewal: float | None = None

    # Requests of other parts

    def refresh(self) -> None:
        """Trigger discovery and registration of resources."""
        self._is_stale = self._is_unknown = True
        self._loop.wake()

    def register(self) -> None:
        """Trigger a new registration, because the master may have lost the current one."""
        if self._fan_out is not None:
            self._is_unknown = True
            self._loop.wake()

    def renew(self) -> None:
        """Trigger a lease renewal, after the master's notice that a resource is free."""
        self._is_due = True
        self._loop.wake()

    def forget_master(self) -> None:
        """Drop all leases, which stops work on resources until the current master grants new ones."""
        if self._fan_out is not None:
            self._fan_out.leases.forget()

    def selected(self, load: JobLoad) -> list[Srn]:
        """Return the addressed resources that this minion may act on; raises TargetError."""
        return [] if self._fan_out is None else self._fan_out.selected(load, self._call_data.context())

    def work(self, job: RunningJob, call_returners: CallReturners) -> None:
        """Run a job on its resources; returners receive each return under the resource's id."""
        if self._fan_out is not None:
            self._fan_out.run(job, self._call_data.context(job.name), call_returners)

    def ended(self, job: RunningJob, number: int, retcode: int) -> None:
        """Deliver the failures of the resources that an ended job did not reach."""
        if self._fan_out is not None:
            self._fan_out.give_up(job, ended_text(number), retcode)

    def refused(self, job: RunningJob, why: str) -> None:
        """Deliver the failures of the resources of a job that could not start."""
        if self._fan_out is not None:
            self._fan_out.give_up(job, f"ERROR: the job could not begin: {why}", 1)

    def errors(self) -> dict[str, str]:
        """Return {SRN or path in pillar: last error}; see `services.daemons.ManagedResources`."""
        return {} if self._fan_out is None else self._fan_out.managed.errors()

    def shut_down(self) -> None:
        """Call `shutdown` of all types in use."""
        if self._fan_out is not None:
            self._fan_out.managed.end()

    # The greenlet

    def run(self) -> None:
        """Process triggers and renew leases in time, forever."""
        self._loop.run()

    def _pause(self) -> float | None:
        return None if self._next_renewal is None else max(0.0, self._next_renewal - time.monotonic())

    def _round(self) -> None:
        try:
            self._process_triggers()
        except (SaltGError, OSError) as exc:
            log.warning("resources: a request to the master failed: %s", exc)
            self._next_renewal = time.monotonic() + RETRY_PAUSE
        # Types are foreign code; an error in this round may not recur in the next one.
        except Exception:
            self._next_renewal = time.monotonic() + RETRY_PAUSE
            raise

    def _process_triggers(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self._find()
        if self._is_unknown:
            self._register()
        elif self._fan_out is not None and (self._is_due or self._pause() == 0):
            self._is_due = False
            self._ask("_renew_resources", {})
        self._take_pillars()

    def _register(self) -> None:
        # Cleared before the request, so that a refresh requested in the meantime causes another registration.
        self._is_unknown = False
        if self._fan_out is not None:
            # Resources missing from the registration are assigned to another minion at once.
            self._fan_out.end_unmanaged()
        try:
            self._ask("_register_resources", self._registration())
        except BaseException:
            self._is_unknown = True
            raise
        self._has_pillars.clear()

    def _find(self) -> None:
        """Discover resources, if pillar names resources now or named some before."""
        if self._fan_out is None:
            if not pillar_settings.declared_below(self._settings.pillar_key, self._call_data.pillar):
                return
            self._fan_out = self._made()
        managed = self._fan_out.managed
        managed.refresh()
        self._call_data.set_resources(managed.ids)

    def _made(self) -> FanOut:
        from salt_g.minion.resources.fan_out import FanOut
        from salt_g.minion.resources.managed import ManagedResources

        managed = ManagedResources(
            self._settings.discovery,
            self._types(),
            self._call_data.context,
            lambda managed: self._own_pillars,
        )
        return FanOut(managed, self._settings.timeouts, deliver=self._deliver)

    def _registration(self) -> ResourcesLoad:
        if self._fan_out is None or not len(self._fan_out.managed):
            return NOTHING
        return {**self._fan_out.managed.registration(), "leases": True}

    def _take_pillars(self) -> None:
        """Request the pillar of held resources that have no pillar yet, some at a time."""
        if self._fan_out is None or not self._makes_pillars:
            return
        managed, leases = self._fan_out.managed, self._fan_out.leases
        held = [srn for srn in managed if leases.is_held(str(srn))]
        self._has_pillars.intersection_update(held)
        missing = [srn for srn in held if srn not in self._has_pillars]
        taken = missing[:MOST]
        if not taken:
            return
        try:
            managed.take_pillars(taken)
        except (SaltGError, OSError) as exc:
            # Leases matter more than pillar, which is requested again with the next renewal.
            log.warning("cannot load the pillar of %d resources: %s", len(missing), exc)
            return
        self._has_pillars.update(taken)
        if len(missing) > len(taken):
            self._loop.wake()

    def _own_pillars(
        self, srns: Sequence[str], saltenv: str | None, pillarenv: str | None
    ) -> Mapping[str, Mapping[str, Any]]:
        """Return {srn: pillar}, compiled anew by the master for each resource alone."""
        if not self._makes_pillars:
            return {}
        answer = self._call_data.channel.ask_pillar(request(srns, saltenv, pillarenv))
        return learned(own_pillars_in(answer))

    def _ask(self, command: str, load: ResourcesLoad) -> None:
        """Send a request to the master and apply the granted leases, counted from the time before sending."""
        asked = time.monotonic()
        trouble = self._fan_out.managed.trouble if self._fan_out is not None else {}
        fields = {"trouble": dict(itertools.islice(trouble.items(), MAX_TROUBLE))} if trouble else {}
        answer = self._call_data.channel.ask({**load, **fields, "cmd": command})
        self._next_renewal = None
        if isinstance(answer, Mapping):
            self._returns_many(_count(answer.get("return_many")))
        if self._fan_out is not None:
            self._fan_out.leases.take(answer, asked=asked)
            self._fan_out.is_ours = isinstance(answer, Mapping)
            self._makes_pillars = isinstance(answer, Mapping) and bool(answer.get("pillars"))
            self._next_renewal = _renewal(answer, asked)
            _log_refusals(answer)


def _renewal(answer: Any, asked: float) -> float | None:
    """Return the time of the next renewal, after a third of the shortest lease; None if no lease ends."""
    if not isinstance(answer, Mapping):
        return None
    leases = answer.get("leases")
    lengths = [float(value) for value in leases.values() if value] if isinstance(leases, Mapping) else []
    if lengths:
        return asked + min(lengths) / 3
    # A standby minion renews as often as a lease holder.
    pause = min(STANDBY_PAUSE, (_count(answer.get("lease")) or 3 * STANDBY_PAUSE) / 3)
    return asked + pause if answer.get("standby") else None


def _log_refusals(answer: Any) -> None:
    refused = answer.get("refused") if isinstance(answer, Mapping) else None
    for srn, reason in list(refused.items())[:10] if isinstance(refused, Mapping) else ():
        log.warning("the master refuses resource %s: %s", srn, reason)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
