"""Refresh events on the minion's bus, which refresh data, forward events and set environment variables.

Functions, states, schedule and other programs request these actions by firing stock's tags; one table maps
tags to actions.
Whole tags are compared, whereas stock's minions compare prefixes.
Source: stock's `Minion.handle_event`, tested against stock.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

from salt_g import api
from salt_g.errors import SaltGError
from salt_g.event.bus import Bus
from salt_g.minion.bus import Data, Handlers, serve
from salt_g.minion.call_data import CallData
from salt_g.minion.connection.event_outbox import EventOutbox
from salt_g.shapes.loads import ReturnLoad

log = logging.getLogger(__name__)

#: Events fired after a refresh; `saltutil.refresh_pillar wait=True` waits for the first.
PILLAR_DONE = "/salt/minion/minion_pillar_refresh_complete"
MODULES_DONE = "/salt/minion/minion_mod_refresh_complete"
#: Commands that an event can make the minion send to the master.
MINE_COMMANDS = ("_mine", "_mine_delete", "_mine_flush")


class RefreshEvents:
    """Handler of refresh events for one master connection; `run` is called in a greenlet."""

    def __init__(
        self,
        call_data: CallData,
        outbox: EventOutbox,
        bus: Bus,
        *,
        deliver: Callable[[ReturnLoad], None],
        register_resources: Callable[[], None],
        renew_resources: Callable[[], None],
    ) -> None:
        self._call_data = call_data
        self._outbox = outbox
        self._bus = bus
        self._deliver = deliver
        self._handlers: Handlers = {
            "module_refresh": self._modules,
            "grains_refresh": self._grains,
            "pillar_refresh": self._pillar,
            "matchers_refresh": lambda data: call_data.loader.reload(["matchers"]),
            "resource_refresh": lambda data: register_resources(),
            "resource_renew": lambda data: renew_resources(),
            "fire_master": self._fire_master,
            "_salt_error": lambda data: outbox.fire("_salt_error", dict(data)),
            "environ_setenv": self._set_environment,
            "_minion_mine": self._mine,
            "__schedule_return": self._return,
            "schedule_return": self._return,
        }

    def run(self) -> None:
        """Handle events as they arrive."""
        with self._bus.subscribe_by(self._handlers.__contains__, name="refreshing") as subscription:
            serve(subscription, self._handlers)

    def _modules(self, data: Data) -> None:
        self._call_data.gather_grains()
        self._call_data.loader.reload()
        if data.get("notify", True):
            self._bus.fire(MODULES_DONE, {"complete": True})

    def _grains(self, data: Data) -> None:
        """Gather the grains; refresh pillar only if the grains have changed or the event forces it."""
        if self._call_data.gather_grains() or data.get("force_refresh"):
            self._call_data.compile_pillar()

    def _pillar(self, data: Data) -> None:
        self._call_data.gather_grains()
        self._call_data.loader.reload()
        if self._call_data.compile_pillar():
            self._bus.fire("resource_refresh", {})
        self._bus.fire(PILLAR_DONE, {"complete": True})

    def _fire_master(self, data: Data) -> None:
        if data.get("events"):
            self._outbox.fire_many(data["events"], data.get("pretag"))
        elif data.get("tag"):
            further = {name: value for name, value in (data.get("preload") or {}).items() if name != "cmd"}
            sent = {"pretag": data.get("pretag"), **further}
            self._outbox.fire(str(data["tag"]), data.get("data") or {}, **sent)

    def _mine(self, data: Data) -> None:
        load = {name: value for name, value in data.items() if not name.startswith("_stamp")}
        if load.get("cmd") not in MINE_COMMANDS:
            log.warning("an event requests the unknown mine command %r", load.get("cmd"))
            return
        try:
            self._call_data.channel.ask(load)
        except (SaltGError, OSError) as exc:
            log.warning("cannot send mine data to the master: %s", exc)

    def _return(self, data: Data) -> None:
        load: Any = {name: value for name, value in data.items() if name not in ("_stamp", "cmd")}
        self._deliver(load)

    def _set_environment(self, data: Data) -> None:
        """Set this process's environment variables, for `environ.setenv` with `update_minion`."""
        with api.use(self._call_data.context()) as context:
            setenv = context.table("modules")["environ.setenv"]
            setenv(
                dict(data.get("environ") or {}),
                false_unsets=bool(data.get("false_unsets")),
                clear_all=bool(data.get("clear_all")),
            )
        log.debug("environment updated, %d variables", len(os.environ))
