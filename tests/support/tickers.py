"""How long a daemon keeps others waiting: a client that asks the same thing again and again meanwhile."""

import contextlib
import pathlib
import statistics
import threading
import time

import zmq

from salt_g.wire.envelope import seal_clear
from salt_g.wire.packing import unpack

#: How long one answer may take on a busy machine (s).
DEADLINE = 60.0


class Ticker:
    """Asks a master's request port in a thread, as fast as it answers; `waits` are the answers' times (s)."""

    def __init__(self, port):
        self.waits = []
        self._port = port
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    @property
    def slowest(self):
        """The longest time (s)."""
        return max(self.waits)

    @property
    def usual(self):
        """The time that half of the answers took at most (s)."""
        return statistics.median(self.waits)

    def _ask(self):
        # A command that does not exist: the cheapest thing that goes all the way and back.
        question = seal_clear({"cmd": "tick"})
        with zmq.Context() as context, context.socket(zmq.REQ) as socket:
            socket.linger = 0
            socket.connect(f"tcp://127.0.0.1:{self._port}")
            while not self._ends.is_set():
                began = time.monotonic()
                socket.send(question)
                if not socket.poll(DEADLINE * 1000):
                    self.waits.append(DEADLINE)
                    return
                unpack(socket.recv())
                self.waits.append(time.monotonic() - began)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exc):
        self._ends.set()
        self._thread.join()


@contextlib.contextmanager
def ticking(master):
    """Give a ticker that runs while the block does."""
    with Ticker(master.ret_port) as ticker:
        yield ticker


def cpu_of(pid):
    """Return the processor time that a process has used (s)."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident(pid):
    """Return the memory that a process holds (bytes)."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")
