"""Pillar worker: a process that compiles pillar for its master and does nothing else.

It has the master's settings from the master, and reads no key. It ends when its master closes the socket
pair, however the master ended.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import socket
from typing import Any

import gevent.lock

from salt_g.master.pillar_workers import frames
from salt_g.master.pillar_workers.relayed_log import Relay
from salt_g.master.serving.hub_pillars import HubPillars, PillarRequest
from salt_g.process.supervisor import Supervisor
from salt_g.process.title import show_as

log = logging.getLogger(__name__)

#: Name in lists of processes.
NAME = "salt-pillar"


def main(work: int, logs: int) -> None:
    """Serve requests from the descriptor `work` until it is closed, and send the log to `logs`."""
    show_as(NAME)
    # A signal for the whole group of processes is for the master. Not ignored, because the programs that a
    # template starts would ignore it as well.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    os.set_blocking(logs, True)
    logging.root.addHandler(Relay(logs))
    link = socket.socket(fileno=work)
    start = frames.receive(link)
    if start is not None:
        level, opts = pickle.loads(start)  # noqa: S301 - from our master
        logging.root.setLevel(level)
        Worker(link, HubPillars(opts)).serve()
    # Without waiting for compilations that nobody wants any more.
    os._exit(0)


class Worker:
    """Server of the requests of one socket."""

    def __init__(self, link: Any, pillars: HubPillars) -> None:
        self._link = link
        self._pillars = pillars
        self._supervisor = Supervisor("pillar worker")
        self._sending = gevent.lock.Semaphore(1)

    def serve(self) -> None:
        """Answer until the other side closes; an empty frame is a sign of life."""
        self._send(b"")
        while (frame := frames.receive(self._link)) is not None:
            if frame:
                number, wanted = pickle.loads(frame)  # noqa: S301 - from our master
                self._supervisor.spawn(self._answer, number, PillarRequest(*wanted), name="pillar")
            else:
                self._send(b"")

    def _answer(self, number: int, wanted: PillarRequest) -> None:
        try:
            answer = frames.pack_answer(number, self._pillars.compiled(wanted))
        # The guard around one request. The master compiles it itself, and so raises the same error.
        except (Exception, SystemExit) as exc:
            log.debug("%s: the pillar is left to the master: %r", wanted.id, exc)
            answer = frames.pack_answer(number, None)
        self._send(answer)

    def _send(self, answer: bytes) -> None:
        with self._sending:
            frames.send(self._link, answer)
