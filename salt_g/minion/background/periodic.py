"""Periodic loops of the minion: grains refresh, mine update, ping of the master.

Stateless, and separate from the users' schedule.
Units: the settings are minutes, the loops seconds.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any

from salt_g.event.bus import Bus
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Opts
from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

MINUTE = 60.0


def start_loops(
    opts: Opts,
    *,
    supervisor: Supervisor,
    bus: Bus,
    run_job: Callable[[JobLoad], Any],
    fire: Callable[[str, Any], None],
) -> None:
    """Start the loops enabled by the settings; `fire` sends an event to the masters."""
    loops: dict[str, tuple[Any, Callable[[], Any]]] = {
        "grains_refresh_every": (
            opts.get("grains_refresh_every"),
            lambda: bus.fire("grains_refresh", {}),
        ),
        "mine_interval": (
            opts.get("mine_interval") if opts.get("mine_enabled") else 0,
            lambda: run_job({"fun": "mine.update", "arg": [], "return_job": bool(opts["mine_return_job"])}),
        ),
        "ping_interval": (opts.get("ping_interval"), lambda: fire("minion_ping", "ping")),
    }
    for name, (minutes, work) in loops.items():
        if minutes and float(minutes) > 0:
            interval = float(minutes) * MINUTE
            # Minions started at the same time must not stay in step.
            first = random.uniform(0, min(interval, MINUTE))
            supervisor.spawn(PeriodicLoop(name, work, interval, first=first).run, name=name)
