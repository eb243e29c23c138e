"""Periodic loops of the minion: grains refresh, mine update, ping of the master.

Stateless, and separate from the users' schedule.
Units: the settings are minutes, the loops seconds.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from typing import Any

import gevent

from salt_g.event.bus import Bus
from salt_g.process.supervisor import Supervisor

log = logging.getLogger(__name__)

MINUTE = 60.0


def start_loops(
    opts: Mapping[str, Any],
    *,
    supervisor: Supervisor,
    bus: Bus,
    run_job: Callable[[dict[str, Any]], Any],
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
            supervisor.spawn(_again_and_again, float(minutes) * MINUTE, work, name=name)


def _again_and_again(interval: float, work: Callable[[], Any]) -> None:
    # Minions started at the same time must not stay in step.
    gevent.sleep(random.uniform(0, min(interval, MINUTE)))
    while True:
        work()
        gevent.sleep(interval)
