"""Latency of a daemon for other peers, measured by a client that repeats the same request."""

from __future__ import annotations

import contextlib
import pathlib
import statistics
import threading
import time
from collections.abc import Iterator

import zmq

from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import unpack
from tests.support.daemons import RunningMaster

#: Time limit for one response on a busy machine (s).
DEADLINE = 60.0


class Ticker:
    """Client thread that sends requests to a master back to back; `waits` are the response times (s)."""

    def __init__(self, port: int) -> None:
        self.waits: list[float] = []
        self._port = port
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    @property
    def slowest(self) -> float:
        """Longest response time (s)."""
        return max(self.waits)

    @property
    def usual(self) -> float:
        """Median response time (s)."""
        return statistics.median(self.waits)

    def _ask(self) -> None:
        # A command that does not exist: the cheapest complete round trip.
        question = seal_clear({"cmd": "tick"})
        with zmq.Context() as context, context.socket(zmq.REQ) as socket:
            socket.linger = 0
            socket.connect(f"tcp://127.0.0.1:{self._port}")
            while not self._ends.is_set():
                began = time.monotonic()
                socket.send(question)
                if not socket.poll(int(DEADLINE * 1000)):
                    self.waits.append(DEADLINE)
                    return
                unpack(socket.recv())
                self.waits.append(time.monotonic() - began)

    def __enter__(self) -> Ticker:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._ends.set()
        self._thread.join()


@contextlib.contextmanager
def ticking(master: RunningMaster) -> Iterator[Ticker]:
    """Run a ticker for the duration of the block."""
    with Ticker(master.ret_port) as ticker:
        yield ticker


def cpu_of(pid: int) -> float:
    """Return the processor time used by a process (s)."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident(pid: int) -> int:
    """Return the resident memory of a process (bytes)."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")
