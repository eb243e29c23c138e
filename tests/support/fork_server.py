"""Daemons forked from a process that has imported their program, for tests whose subject is not the start.

Importing takes four fifths of the processor time of a daemon's start. The server of a role imports its
daemon once, and forks for each request; the fork then runs the command's `main` with its own arguments,
environment, directory, umask, session and standard streams.

Run as a script, this file is the server: `fork_server.py ROLE FD`. It ends with its client.
"""

from __future__ import annotations

import _socket
import array
import atexit
import importlib
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import setproctitle

#: Prefixes of environment variables that are read only at startup.
READ_AT_START = ("GEVENT", "GLIBC", "LANG", "LC_", "LD_", "MALLOC", "PYTHON", "TZ")
_STREAMS = 3


class ForkServer:
    """Server of one role; `fork` returns a started daemon."""

    def __init__(self, role: str, environment: Mapping[str, str]) -> None:
        self._environment = read_at_start(environment)
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, role, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                # Ctrl-C at a terminal is for the client alone, which then stops its daemons.
                start_new_session=True,
                env=dict(environment),
            )
        self._replies = self._socket.makefile("rb")
        self._one_at_a_time = threading.Lock()
        atexit.register(self.close)

    def can_fork(self, environment: Mapping[str, str]) -> bool:
        """Return whether forking equals a fresh start: startup variables are equal, coverage is off."""
        # A fork's coverage data would include what its server measured.
        is_measured = any(name.startswith("COVERAGE") for name in environment)
        return self._environment == read_at_start(environment) and not is_measured

    def fork(
        self, words: Sequence[str], environment: Mapping[str, str], streams: Sequence[int]
    ) -> ForkedProcess:
        """Run the command in a new session with these standard streams."""
        request = {
            "words": list(words),
            "environment": dict(environment),
            "directory": os.getcwd(),
            "umask": _umask(),
        }
        data = json.dumps(request).encode("utf-8", "surrogateescape") + b"\n"
        with self._one_at_a_time:
            sent = socket.send_fds(self._socket, [data], list(streams))
            self._socket.sendall(data[sent:])
            return ForkedProcess(self, self._reply())

    def status_of(self, pid: int) -> int:
        """Return the exit code of a process that has ended; negative: the signal that ended it."""
        with self._one_at_a_time:
            self._socket.sendall(json.dumps({"ended": pid}).encode() + b"\n")
            return self._reply()

    def close(self) -> None:
        """End the server."""
        self._replies.close()
        self._socket.close()
        self._process.wait()

    def _reply(self) -> int:
        line = self._replies.readline()
        assert line, "the server of daemons has ended"
        return int(line)


class ForkedProcess:
    """Forked daemon, with the part of the interface of `subprocess.Popen` that tests use."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._server = server
        self._end = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return the exit code, None while the process is running."""
        return self._after(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code; raises TimeoutExpired."""
        code = self._after(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            signal.pidfd_send_signal(self._end, number)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _after(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            waiting = select.poll()
            waiting.register(self._end, select.POLLIN)
            if waiting.poll(None if timeout is None else timeout * 1000):
                self.returncode = self._server.status_of(self.pid)
                os.close(self._end)
        return self.returncode


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that take effect only at startup."""
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}


def _umask() -> int:
    """Return the mask of this process, which `os.umask` reads only by changing it."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1], 8) for line in lines if line.startswith("Umask:"))


def _serve(role: str, number: int) -> None:
    """Import the daemon of a role, then fork for each request until the client has ended."""
    sys.path[:] = [path for path in sys.path if path != str(pathlib.Path(__file__).parent)]
    # setproctitle locates the title's memory on first use, and cannot once the environment is replaced.
    setproctitle.getproctitle()
    # Import and patch in the same order as the command.
    importlib.import_module(f"salt_g.cli.daemon.{role}")
    from salt_g.process import monkey_patch

    monkey_patch.patch()
    importlib.import_module(f"salt_g.{role}.daemon")
    import gevent.monkey

    # Not gevent's: a hub, with its event loop, belongs to one process.
    fork, waitpid = (gevent.monkey.get_original("os", name) for name in ("fork", "waitpid"))
    client = _socket.socket(fileno=number)
    rest = b""
    while received := _request(client, rest):
        request, streams, rest = received
        if "ended" in request:
            reply = os.waitstatus_to_exitcode(waitpid(request["ended"], 0)[1])
        else:
            reply = fork()
            if reply == 0:
                client.close()
                _run(request, streams)
            for stream in streams:
                os.close(stream)
        client.send(b"%d\n" % reply)


def _request(client: Any, data: bytes) -> tuple[dict[str, Any], list[int], bytes] | None:
    """Return (the next request, its streams, the beginning of the one after it), None at the end."""
    streams = array.array("i")
    while b"\n" not in data:
        more, ancillary, _, _ = client.recvmsg(1 << 16, _socket.CMSG_LEN(_STREAMS * streams.itemsize))
        if not more:
            return None
        for _, _, numbers in ancillary:
            streams.frombytes(numbers)
        data += more
    line, _, rest = data.partition(b"\n")
    return json.loads(line), list(streams), rest


def _run(request: dict[str, Any], streams: list[int]) -> NoReturn:
    """Become the daemon; its `main` ends the process."""
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["directory"])
    os.umask(request["umask"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv[:] = request["words"]
    setproctitle.setproctitle(" ".join([sys.executable, *sys.argv]))
    from salt_g.cli import main

    main()
    raise AssertionError("main has returned")


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
