"""Supervision of engines: each runs in a greenlet and is restarted when it ends.

Master and minion run engines alike; an engine that fails must neither end its daemon nor keep it busy
with restarts. In a cluster of masters an engine runs on the leader, unless its option `everywhere` is set.
Shapes: the setting `engines` is a list of names and of mappings {name: options}, or one such mapping.
Units: seconds.
Source: stock docs "Engines"; the option `engine_module` names the plugin when it differs from `name`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import gevent

from salt_g import api
from salt_g.api import CallContext
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.process.supervisor import Supervisor
from salt_g.shapes import Arguments

log = logging.getLogger(__name__)

#: First and longest pause before a restart (s); the pause doubles after each failure.
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
#: Running time after which the pause is reset (s).
GOOD_RUN = 60.0
#: Pause between two checks of which master is the leader (s).
LOOK = 1.0


class Engine(NamedTuple):
    """One engine of the settings."""

    name: str
    plugin: str
    options: Arguments
    everywhere: bool = False


class Engines:
    """Engines of one daemon; `context()` is the call context that each runs in.

    `is_leader` returns whether this master is the leader of its cluster; it is None outside of a cluster.
    """

    def __init__(
        self,
        setting: Any,
        *,
        context: Callable[[], CallContext],
        supervisor: Supervisor,
        is_leader: Callable[[], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = gevent.sleep,
    ) -> None:
        self.engines = list(engines_of(setting))
        self._context = context
        self._supervisor = supervisor
        self._is_leader = is_leader
        self._led: list[Any] = []
        self._clock = clock
        self._sleep = sleep

    def start(self) -> None:
        """Start all engines; each has a greenlet until the supervisor ends it."""
        of_leader = [engine for engine in self.engines if self._is_leader and not engine.everywhere]
        for engine in self.engines:
            if engine not in of_leader:
                self._spawn(engine)
        if of_leader:
            loop = PeriodicLoop("engines of the leader", partial(self.follow_lead, of_leader), LOOK)
            self._supervisor.spawn(loop.run, name=loop.name)

    def follow_lead(self, engines: Sequence[Engine]) -> None:
        """Start the engines when this master becomes the leader, and end them when it no longer is."""
        leads = self._is_leader is not None and self._is_leader()
        if leads == bool(self._led):
            return
        if leads:
            self._led = [self._spawn(engine) for engine in engines]
            return
        log.warning("this master is no longer the leader; ending its engines: %s", _names(engines))
        gevent.killall(self._led, block=False)
        self._led = []

    def _spawn(self, engine: Engine) -> Any:
        return self._supervisor.spawn(self._keep, engine, name=f"engine {engine.name}")

    def _keep(self, engine: Engine) -> None:
        pause = FIRST_PAUSE
        while True:
            began = self._clock()
            if not self._run(engine):
                return
            pause = FIRST_PAUSE if self._clock() - began >= GOOD_RUN else pause
            log.warning("engine %s restarts in %g s", engine.name, pause)
            self._sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _run(self, engine: Engine) -> bool:
        """Run an engine to its end; return whether to restart it."""
        with api.use(self._context()) as context:
            table = context.table("engines")
            function = table.get(f"{engine.plugin}.start")
            if function is None:
                why = getattr(table, "why_missing", lambda _: "")(f"{engine.plugin}.start")
                why = why or f"{engine.plugin!r} is not available"
                log.error("cannot start engine %s: %s", engine.name, why)
                return False
            log.info("starting engine %s", engine.name)
            try:
                function(**engine.options)
                log.warning("engine %s has ended", engine.name)
            # A plugin can raise anything, even SystemExit, which must not end the daemon.
            except (Exception, SystemExit):
                log.exception("engine %s failed", engine.name)
        return True


def engines_of(setting: Any) -> Iterator[Engine]:
    """Yield the engines of the setting; malformed entries are logged and skipped."""
    entries = (
        [{name: options} for name, options in setting.items()] if isinstance(setting, Mapping) else setting
    )
    for entry in entries or ():
        if isinstance(entry, str):
            yield Engine(entry, entry, {})
        elif isinstance(entry, Mapping) and len(entry) == 1 and _are_options(*entry.values()):
            ((name, given),) = entry.items()
            options = {str(option): value for option, value in (given or {}).items()}
            plugin, everywhere = options.pop("engine_module", name), options.pop("everywhere", False)
            yield Engine(str(name), str(plugin), options, bool(everywhere))
        else:
            log.error("engines: %r is neither a name nor a mapping of one name to its options", entry)


def _names(engines: Sequence[Engine]) -> str:
    return ", ".join(engine.name for engine in engines)


def _are_options(given: Any) -> bool:
    return given is None or isinstance(given, Mapping)
