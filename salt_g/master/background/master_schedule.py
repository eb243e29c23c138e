"""Scheduled jobs of the master: runner functions called at set times.

`schedule/` decides which jobs are due, without a clock; this module reads the clock and calls the runners.
Units: seconds.
"""

from __future__ import annotations

import collections
import datetime
import logging
from collections.abc import Callable

from salt_g.master.settings import ScheduleSettings
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.schedule import Due, Schedule
from salt_g.schedule.scheduled_call import arguments_of
from salt_g.services.daemons import Calls
from salt_g.shapes import MasterCall

log = logging.getLogger(__name__)

#: Longest pause between two checks of the clock; stock's masters check every `loop_interval`, a minute.
PAUSE = 1.0


class MasterSchedule:
    """Schedule of one master; `user` is the user of its jobs."""

    def __init__(
        self,
        settings: ScheduleSettings,
        *,
        calls: Calls,
        supervisor: Supervisor,
        clock: Callable[[], datetime.datetime] = datetime.datetime.now,
        is_leader: Callable[[], bool] = lambda: True,
    ) -> None:
        """Initialize; `is_leader` returns whether this master is the leader of its cluster."""
        self._is_leader = is_leader
        self._under_way: collections.Counter[str] = collections.Counter()
        self.schedule = Schedule(settings.schedule, loop_interval=PAUSE, running=self._under_way.__getitem__)
        self._calls = calls
        self._supervisor = supervisor
        self._user = settings.user
        self._clock = clock

    def start(self) -> None:
        """Start checking the clock, if there is a schedule."""
        if self.schedule.own:
            loop = PeriodicLoop("schedule", self.start_due, PAUSE)
            self._supervisor.spawn(loop.run, name=loop.name)

    def start_due(self) -> None:
        """Start the jobs that are due now."""
        for due in self.schedule.due(self._clock()):
            # `due` has counted the job as run, on every master, so that the next leader does not run it
            # again.
            if not self._is_leader():
                continue
            log.info("Running scheduled job: %s", due.name)
            self._under_way[due.name] += 1
            self._supervisor.spawn(self._call, due, name=f"scheduled {due.name}")

    def _call(self, due: Due) -> None:
        args, kwargs = arguments_of(due.settings)
        try:
            self._calls.run(MasterCall("runner", due.fun, args, kwargs, self._user))
        # Guard around the call of a plugin; the schedule continues.
        except Exception:
            log.exception("scheduled job %s failed", due.name)
        finally:
            self._under_way[due.name] -= 1
