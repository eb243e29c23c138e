"""Environment of a night: a short temporary directory and daemons, all removed afterwards."""

import contextlib
import http.client
import os
import pathlib
import re
import signal
import tempfile
import time

from tests.support.daemons import RunningMaster, RunningMinion
from tests.support.free_ports import free_port

#: Time limit of a metrics request (s).
PATIENCE = 30.0


class House:
    """Directory with running daemons; leaving it stops and removes everything. Lifecycle: `with`."""

    def __init__(self):
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        # Names of UNIX sockets have at most 107 characters.
        self.root = pathlib.Path(
            self._stack.enter_context(tempfile.TemporaryDirectory(prefix="sg-", ignore_cleanup_errors=True))
        )
        return self

    def __exit__(self, *error):
        self._stack.__exit__(*error)

    def keep(self, context):
        """Enter a context manager for the lifetime of the house."""
        return self._stack.enter_context(context)

    def master(self, **settings):
        """Start a master."""
        return self._start(RunningMaster(self.root / "master", log_level="warning", **settings))

    def minion(self, master, id, **settings):
        """Start a minion of a master, or of several."""
        masters = master if isinstance(master, (list, tuple)) else [master]
        names = [f"127.0.0.1:{one.ret_port}" for one in masters]
        settings = {"master": names, "log_level": "warning", **settings}
        return self._start(RunningMinion(self.root / id, id=id, **settings))

    def _start(self, daemon):
        self._stack.callback(_end, daemon)
        return daemon.start()


class Metrics:
    """Client of a master's metrics port."""

    def __init__(self):
        self.port = free_port()

    def read(self):
        """Return {"name" or 'name{label="value"}': number}."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
        return {found[1]: float(found[2]) for found in re.finditer(r"^(salt_g_\S+) (\S+)$", text, re.M)}


class Deadline:
    """Point in time on the monotonic clock; `left` is the time until then (s)."""

    def __init__(self, seconds):
        self.began = time.monotonic()
        self.seconds = seconds

    @property
    def passed(self):
        """Time since the start."""
        return time.monotonic() - self.began

    @property
    def left(self):
        """Time left, 0 when over."""
        return max(0.0, self.seconds - self.passed)


def proportional_bytes(pid):
    """Return the memory of a process with shared pages divided among their users (PSS)."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Pss:\s+(\d+) kB", text, re.M)[1]) * 1024


def own_bytes(pid):
    """Return the anonymous memory of a process."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^RssAnon:\s+(\d+) kB", text, re.M)[1]) * 1024


def open_files(pid):
    """Return the number of open files of a process."""
    return sum(1 for _ in pathlib.Path(f"/proc/{pid}/fd").iterdir())


def processor_seconds(pid):
    """Return the processor time of a process, over all its threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@contextlib.contextmanager
def stopped(pid):
    """Stop a process with SIGSTOP; continue it at the end."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _end(daemon):
    """Stop a daemon gracefully; kill it if that fails."""
    try:
        daemon.stop()
    finally:
        daemon.kill()
