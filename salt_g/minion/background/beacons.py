"""Beacons of a minion, run round by round, and their events.

Each plugin is called separately, so that a failing beacon does not stop the others.
Shapes: an event is {tag, data}; tags are `salt/beacon/<id>/<beacon>/<suffix added by the beacon>`.
Units: seconds.
Source: stock docs "Beacons"; each beacon has the options `interval`, `enabled`, `beacon_module`,
`disable_during_state_run`, `run_once`.
"""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.event import tags
from salt_g.minion.background.beacon_settings import ENABLED, BeaconSettings, options_of
from salt_g.minion.settings import BeaconRoundSettings
from salt_g.process.periodic_loop import PeriodicLoop
from salt_g.shapes import Scratch
from salt_g.shapes.loads import EventData, RunningJobLoad

log = logging.getLogger(__name__)

#: Options that are not passed on to the beacon.
_HIDDEN = frozenset((ENABLED, "interval", "disable_during_state_run", "beacon_module", "run_once"))


class Beacons:
    """Runner of the beacons of one minion.

    `context()` returns the call context in which beacons run; `send(events)` sends their events; `running()`
    returns the running jobs (for `disable_during_state_run`); `fire(tag, data)` answers on the minion's own
    bus.
    """

    def __init__(
        self,
        settings: BeaconRoundSettings,
        *,
        context: Callable[[], CallContext],
        send: Callable[[list[EventData]], object],
        running: Callable[[], list[RunningJobLoad]],
        fire: Callable[[str, Mapping[str, Any]], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = BeaconSettings(settings.beacons, validate=self._verdict, available=self.available)
        self._id = settings.id
        self._pause = settings.loop_interval
        self._make_context = context
        self._send = send
        self._running = running
        self._fire = fire
        self._clock = clock
        self._next: dict[str, float] = {}
        # `__context__` of the beacons, kept between rounds; the minion's calls share another one.
        self._scratch: Scratch = {}

    def run(self) -> None:
        """Run rounds until the greenlet is ended."""
        try:
            PeriodicLoop("beacons", self._send_round, self._pause).run()
        finally:
            self.close()

    def round(self) -> list[EventData]:
        """Run all beacons that are due and return their events."""
        beacons = self.settings.all()
        if not beacons.keys() - {ENABLED} or not beacons.get(ENABLED, True):
            return []
        events: list[EventData] = []
        with api.use(self._context()):
            for name, config in beacons.items():
                if name != ENABLED:
                    events += self._ask(name, config)
        return events

    def _send_round(self) -> None:
        events = self.round()
        if events:
            self._send(events)

    def handle(self, question: Mapping[str, Any]) -> None:
        """Execute a request (`manage_beacons` event), stop affected beacons, and fire the answer."""
        before = self.settings.all()
        answer = self.settings.handle(question)
        for name in answer.stopped:
            self._next.pop(name, None)
            self._close(name, before.get(name))
        if answer.tag:
            self._fire(answer.tag, answer.data)

    def refresh(self, pillar: Any) -> None:
        """Replace the beacons from pillar after a pillar refresh; stop removed and changed ones."""
        before = self.settings.all()
        self.settings.set_pillar(pillar)
        now = self.settings.all()
        for name, config in before.items():
            if name != ENABLED and now.get(name) != config:
                self._close(name, config)

    def close(self) -> None:
        """Let each beacon release its resources (`close`)."""
        for name, config in self.settings.all().items():
            if name != ENABLED:
                self._close(name, config)

    def validate(self, name: str, config: Any) -> tuple[bool, str]:
        """Return (validity, comment) from a beacon's check of its configuration."""
        plugin = _plugin(name, config)
        with api.use(self._context()) as context:
            check = context.table("beacons").get(f"{plugin}.validate")
            if check is None:
                return True, f"Beacon {plugin} does not have a validate function, skipping validation."
            found = check(_for_plugin(name, config))
        # Beacons written by users may return a bare truth value.
        valid, comment = found if isinstance(found, tuple) else (found, "")
        return bool(valid), str(comment)

    def available(self) -> list[str]:
        """Return the names of all beacons available here."""
        with api.use(self._context()) as context:
            table = context.table("beacons")
            return sorted(name.partition(".")[0] for name in table if name.endswith(".beacon"))

    def _context(self) -> CallContext:
        return self._make_context().replace(scratch=self._scratch)

    def _verdict(self, name: str, config: Any) -> tuple[bool, str]:
        """Return (validity, comment) from a beacon's check, even if the check raises."""
        try:
            return self.validate(name, config)
        # A plugin may raise anything, including SystemExit, which must not end this process.
        except (Exception, SystemExit) as exc:
            log.exception("beacon %s: cannot check its settings", name)
            return False, f"its check of the settings failed: {type(exc).__name__}: {exc}"

    def _is_due(self, name: str, options: Mapping[str, Any]) -> bool:
        if not options.get(ENABLED, True):
            return False
        interval = options.get("interval")
        if interval:
            # The first run is due after one interval, as in stock.
            now = self._clock()
            if now < self._next.setdefault(name, now + float(interval)):
                return False
            self._next[name] = now + float(interval)
        return not (options.get("disable_during_state_run") and self._is_state_running(name))

    def _is_state_running(self, name: str) -> bool:
        is_running = any(str(job.get("fun")).startswith("state.") for job in self._running())
        if is_running:
            log.info("beacon %s: skipped during a state run", name)
            self._close(name, self.settings.all().get(name))
        return is_running

    def _ask(self, name: str, config: Any) -> list[EventData]:
        """Run a beacon if it is due; return its events or, if it fails, an event with the error."""
        plugin = _plugin(name, config)
        table = api.current().table("beacons")
        try:
            if not self._is_due(name, options_of(config)):
                return []
            valid, comment = self.validate(name, config)
            if not valid:
                log.error("Beacon %s configuration invalid, not running.\n%s", name, comment)
                return []
            reported = table[f"{plugin}.beacon"](_for_plugin(name, config))
            events = list(self._events(name, reported or []))
        # A plugin may raise anything, including SystemExit, which must not end this process; the other
        # beacons still run.
        except (Exception, SystemExit) as exc:
            log.error("Unable to start %s beacon, %s", name, exc)
            return [{"tag": tags.beacon(self._id, name), "data": {"id": self._id, "error": str(exc)}}]
        if options_of(config).get("run_once"):
            self.settings.disable(name)
        return events

    def _events(self, name: str, reported: Any) -> Iterator[EventData]:
        for data in reported:
            data = dict(data)
            rest = str(data.pop("tag", ""))
            yield {"tag": tags.beacon(self._id, name, rest), "data": {"id": self._id, **data}}

    def _close(self, name: str, config: Any) -> None:
        plugin = _plugin(name, config)
        try:
            with api.use(self._context()) as context:
                close = context.table("beacons").get(f"{plugin}.close")
                if close is not None:
                    close(_for_plugin(name, config))
        # A plugin may raise anything, including SystemExit; a failing `close` must not stop the minion.
        except (Exception, SystemExit) as exc:
            log.warning("beacon %s: cannot release its resources: %s", name, exc)


def _plugin(name: str, config: Any) -> str:
    return str(options_of(config).get("beacon_module") or name)


def _for_plugin(name: str, config: Any) -> Any:
    """Return a copy of a beacon's configuration for the plugin, in stock's form.

    The options handled in this file are left out, and the beacon's name is added.
    """
    if not isinstance(config, list | Mapping):
        return config
    parts = [config] if isinstance(config, Mapping) else config
    shown = [
        {key: value for key, value in part.items() if key not in _HIDDEN}
        if isinstance(part, Mapping)
        else part
        for part in copy.deepcopy(parts)
    ]
    return [*(part for part in shown if part != {}), {"_beacon_name": name}]
