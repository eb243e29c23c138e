"""Delivery of returns, repeated until the master acknowledges them.

A return outlives its job and, if necessary, the minion process that ran the job.
Shapes: loads of `_return`, without `cmd`.
Bounds: at most `SENDERS` requests to each master are in flight; other returns wait on disk (see `spool.py`).
Units: seconds; unacknowledged returns are resent after `return_retry_timer` to `return_retry_timer_max`.
Source: wire specification, sections 6.4 and 9.1.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import gevent
import gevent.queue

from salt_g.errors import SaltGError, WireError
from salt_g.minion.jobs.large_returns import check_sendable, shortened
from salt_g.minion.jobs.spool import Spool
from salt_g.minion.settings import RetrySettings
from salt_g.process.offload import offload_in_daemon
from salt_g.process.secret_hiding import hide
from salt_g.process.supervisor import Supervisor
from salt_g.services.daemons import Asking
from salt_g.shapes.loads import LoadFields, ReturnLoad, SpooledLoad
from salt_g.wire.packing import pack_bus
from salt_g.wire.value_size import is_light

log = logging.getLogger(__name__)

#: Maximum number of requests with returns in flight to one master.
SENDERS = 3
#: Limits of one file and of one request: number of returns, and their total size (bytes).
MOST = 200
MOST_BYTES = 4 << 20
#: Additional time per return in the timeout of a request (s).
PATIENCE = 0.05
#: Minimum speed at which a master is expected to accept a large return (bytes per second).
SPEED = 2 << 20


class ReturnSender:
    """Queue of this minion's returns to their masters.

    Lifecycle: `start`, ended by the supervisor; unsent returns stay on disk.
    """

    def __init__(
        self,
        spool: Spool,
        settings: RetrySettings,
        *,
        supervisor: Supervisor,
        draw: Callable[[float, float], float] = random.uniform,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._spool = spool
        self._supervisor = supervisor
        self._pause = (settings.return_retry_timer, settings.return_retry_timer_max)
        self._draw = draw
        self._sleep = sleep
        self._channels: Mapping[str, Asking] = {}
        self._many: dict[str, int] = {}
        self._queues: dict[str, Any] = {}
        self._disk_is_well = True

    def start(self, channels: Mapping[str, Asking]) -> None:
        """Start sending the returns in the spool, and new returns, through the channel of each master."""
        self._channels = channels
        self._many = dict.fromkeys(channels, 0)
        self._queues = {name: gevent.queue.Queue() for name in channels}
        for name in self._spool.open():
            kept = self._spool.get(name)
            if kept is not None:
                self._queue_of(kept.master).put(name)
        for master, queue in self._queues.items():
            for number in range(SENDERS):
                self._supervisor.spawn(self._send_all, master, queue, name=f"returns {master} {number}")

    def owed(self) -> set[str]:
        """Return the jids with unacknowledged returns; complete only after `start`."""
        return self._spool.jids()

    def deliver(self, master: str, load: SpooledLoad) -> None:
        """Save a return to disk and queue it.

        A return that cannot be sent is replaced by a failure with the reason. If the disk is full or broken,
        the return is sent nevertheless; this is logged once until the disk works again.
        """
        if not self._queues:
            return
        try:
            if "returns" not in load and not is_light(load):
                offload_in_daemon(check_sendable, load)
            name = self._spool.put(master, load)
        except WireError as exc:
            if "returns" in load:
                for one in load["returns"]:
                    self.deliver(master, one)
            else:
                log.error("%s: the return is shortened: %s", load["jid"], exc)
                self.deliver(master, offload_in_daemon(shortened, load, exc))
        except OSError as exc:
            self._note_trouble(exc)
            self._queue_of(master).put(load.copy())
        else:
            self._note_well()
            self._queue_of(master).put(name)

    def takes_many(self, master: str, count: int) -> None:
        """Set the number of returns that a master accepts in one request; 0 if it accepts only one."""
        self._many[master] = count

    def deliver_many(self, master: str, loads: Iterable[ReturnLoad]) -> None:
        """Queue the returns of one job, in few files on disk and, for a salt-g master, few requests."""
        for batch in _batches(map(hide, loads)):
            self.deliver(master, {"jid": batch[0]["jid"], "returns": batch})

    def _note_trouble(self, exc: OSError) -> None:
        if self._disk_is_well:
            self._disk_is_well = False
            log.error("cannot save returns to disk; they are lost if this minion stops: %s", exc)

    def _note_well(self) -> None:
        if not self._disk_is_well:
            self._disk_is_well = True
            log.warning("returns are saved to disk again")

    def _queue_of(self, master: str) -> Any:
        """Return the queue of a master, or the first queue if the settings no longer name the master."""
        return self._queues.get(master) or next(iter(self._queues.values()))

    def _send_all(self, master: str, queue: Any) -> None:
        channel = self._channels[master]
        while True:
            item = queue.get()
            load: SpooledLoad | None = self._load_of(item) if isinstance(item, str) else item
            if load is None:
                continue
            patience = 0.0 if isinstance(item, dict) else self._spool.size_of(item) / SPEED
            if self._send(master, channel, load, patience):
                if isinstance(item, str):
                    self._spool.remove(item)
            else:
                queue.put(item)

    def _load_of(self, name: str) -> SpooledLoad | None:
        kept = self._spool.get(name)
        return None if kept is None else kept.load

    def _send(self, master: str, channel: Asking, load: SpooledLoad, patience: float) -> bool:
        """Send a return once and return whether the master acknowledged it; if not, pause first."""
        if "returns" in load:
            return self._send_many(master, channel, load["returns"])
        return self._send_load(channel, {**load, "cmd": "_return"}, patience=patience)

    def _send_many(self, master: str, channel: Asking, loads: list[ReturnLoad]) -> bool:
        """Send several returns; return False if one is not acknowledged, so that all are resent."""
        count = self._many[master]
        if not count:
            return all(self._send_load(channel, {**load, "cmd": "_return"}) for load in loads)
        parts = [loads[start : start + count] for start in range(0, len(loads), count)]
        return all(
            self._send_load(
                channel,
                {"cmd": "_return_many", "jid": part[0]["jid"], "returns": part},
                patience=len(part) * PATIENCE,
            )
            for part in parts
        )

    def _send_load(self, channel: Asking, load: LoadFields, *, patience: float = 0.0) -> bool:
        began = time.monotonic()
        limit = self._draw(*self._pause) + patience
        try:
            reply = channel.ask(load, timeout=limit, tries=1)
        except (SaltGError, OSError) as exc:
            log.info("%s: the return is not acknowledged and will be resent: %s", load["jid"], exc)
            self._sleep(max(0.0, limit - (time.monotonic() - began)))
            return False
        if reply == "":
            log.error("%s: the master rejected the return", load["jid"])
        else:
            log.debug("%s: the master acknowledged the return", load["jid"])
        return True


def _batches(loads: Iterable[ReturnLoad]) -> Iterator[list[ReturnLoad]]:
    """Yield lists of returns that fit into one message; a return that is too large becomes a failure."""
    batch: list[ReturnLoad] = []
    taken = 0
    for load in loads:
        try:
            size = len(pack_bus(dict(load)))
        except WireError as exc:
            load, size = shortened(load, exc), 1000
        if batch and (len(batch) >= MOST or taken + size > MOST_BYTES):
            yield batch
            batch, taken = [], 0
        batch.append(load)
        taken += size
    if batch:
        yield batch
