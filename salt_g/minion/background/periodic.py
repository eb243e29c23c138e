"""Periodic loops of the minion: grains refresh, mine update, ping of the master.

The loops are stateless, and separate from the users' schedule.
Units: minutes in the settings, seconds in the loops.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any

from salt_g.event.bus import Bus
from salt_g.minion.settings import PeriodicSettings
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.shapes.loads import JobLoad

log = logging.getLogger(__name__)

MINUTE = 60.0


def start_loops(
    settings: PeriodicSettings,
    *,
    supervisor: Supervisor,
    bus: Bus,
    run_job: Callable[[JobLoad], Any],
    fire: Callable[[str, Any], None],
) -> None:
    """Start the loops that the settings enable; `fire` sends an event to the masters."""

    def refresh_grains() -> None:
        bus.fire("grains_refresh", {})

    def update_mine() -> None:
        run_job({"fun": "mine.update", "arg": [], "return_job": settings.mine_return_job})

    def ping_masters() -> None:
        fire("minion_ping", "ping")

    loops: dict[str, tuple[float, Callable[[], Any]]] = {
        "grains_refresh_every": (settings.grains_refresh_every, refresh_grains),
        "mine_interval": (settings.mine_interval, update_mine),
        "ping_interval": (settings.ping_interval, ping_masters),
    }
    for name, (minutes, work) in loops.items():
        if minutes > 0:
            interval = minutes * MINUTE
            # Minions started at the same time must not keep sending requests simultaneously.
            first = random.uniform(0, min(interval, MINUTE))
            supervisor.spawn(PeriodicLoop(name, work, interval, first=first).run, name=name)
