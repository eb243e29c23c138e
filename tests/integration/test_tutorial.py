"""The tutorial works as it stands there: its files are written, its commands run, and print what it shows."""

import contextlib
import os
import signal
import socket

import pytest
from daemons import until
from walkthrough import follow

#: The ports of the page.
PORTS = ("18080", "18081", "14605", "14606")


@pytest.fixture
def free_ports():
    """As many ports as the page has, free a moment ago."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in PORTS]
        return [str(one.getsockname()[1]) for one in sockets]


@pytest.fixture
def directory(daemon_root):
    """Where the page is followed; what it started is ended even where it stops half way."""
    yield daemon_root
    for path in _pid_files(daemon_root):
        with contextlib.suppress(OSError, ValueError):
            pid = int(path.read_text())
            os.kill(pid, signal.SIGTERM)
            until(lambda pid=pid: not os.path.exists(f"/proc/{pid}"), f"the end of {path}")


def _pid_files(directory):
    return [*directory.glob("fleet/*/var/run/*.pid"), *directory.glob("**/web.pid")]


def test_the_tutorial(directory, free_ports):
    follow("tutorial.md", directory, tuple(zip(PORTS, free_ports, strict=True)))

    until(lambda: not _pid_files(directory), "the end of all that the page has started")
