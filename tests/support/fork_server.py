"""Processes forked from one that has imported their program, for tests whose subject is not the start.

Importing takes four fifths of the processor time of the start of a daemon or of a local call. The server of a
role imports its program once, and forks for each request; the fork then runs the command's `main` with its
own arguments, environment, directory, umask, session and standard streams. Modules that a fork of a patched
program imports in addition, its server imports too, for later forks.

Run as a script, this file is the server: `fork_server.py ROLE FD`. It ends with its client.
"""

from __future__ import annotations

import _socket
import array
import atexit
import contextlib
import functools
import gc
import importlib
import io
import json
import os
import pathlib
import select
import selectors
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import setproctitle

#: {subcommand: role}; those of `hub_command` patch the standard library for gevent, the others do not.
COMMANDS = {
    **dict.fromkeys(("call", "cmd", "impact", "key", "lock", "mailbox", "plan", "rollout", "run"), "command"),
    **dict.fromkeys(("doctor", "ssh"), "hub_command"),
}
#: Plugins that most minions and local calls load.
_PLUGINS = (
    *("salt_g.grains.disks", "salt_g.grains.distribution", "salt_g.grains.hardware", "salt_g.grains.network"),
    *("salt_g.modules.cmd", "salt_g.modules.file", "salt_g.modules.state", "salt_g.states.file"),
    *("salt_g.loader.grains", "salt_g.files.client", "salt_g.render.service"),
)
#: {role: the modules that its server imports before it forks}
PRELOADED = {
    "master": ("salt_g.cli.daemon.master", "salt_g.master.daemon"),
    "minion": ("salt_g.cli.daemon.minion", "salt_g.minion.daemon", *_PLUGINS),
    "command": (
        *("salt_g.cli.call.call", "salt_g.cli.call.invocation", "salt_g.cli.settings_plugins"),
        *("salt_g.cli.cmd.cmd", "salt_g.cli.run.run", "salt_g.cli.key.key", "salt_g.cli.live_line"),
        *("salt_g.config", "salt_g.formats.yaml_construct", "salt_g.local_call", "salt_g.cli.printing"),
        *("salt_g.minion.minion_context", "salt_g.pillar.compiler", "salt_g.state.run.state_run"),
        *("salt_g.telemetry.log", "salt_g.output.json_text", "salt_g.output.nested", "jinja2.ext"),
        *("salt_g.formats.yaml_block", "salt_g.formats.yaml_load", "salt_g.render.template_functions"),
        *("salt_g.render.jinja.renderer", "salt_g.render.parsed_texts", "salt_g.render.yaml"),
        *("salt_g.state.run.last_chunks", "salt_g.state.run.low_digests", "salt_g.state.run.progress_events"),
        *_PLUGINS,
    ),
    "hub_command": ("salt_g.cli.ssh.ssh", "salt_g.cli.ssh.host_calls", "salt_g.cli.setup.doctor"),
}
#: Prefixes of environment variables that are read only at startup.
READ_AT_START = ("GEVENT", "GLIBC", "LANG", "LC_", "LD_", "MALLOC", "PYTHON", "TZ")
_STREAMS = 3
#: Environment of most daemons and commands, before changes by individual tests.
_ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8"}


@functools.cache
def fork_server(role: str) -> ForkServer:
    """Return the server from which this process forks the processes of a role."""
    return ForkServer(role, _ENVIRONMENT)


class ForkServer:
    """Server of one role; `fork` returns a started process."""

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
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        streams: Sequence[int],
        *,
        directory: str | os.PathLike[str] | None = None,
    ) -> ForkedProcess:
        """Run the command in a new session with these standard streams; `directory` defaults to this one."""
        request = {
            "words": list(words),
            "environment": dict(environment),
            "directory": str(directory or os.getcwd()),
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
        assert line, "the process to fork from has ended"
        return int(line)


class ForkedProcess:
    """Forked process, with the part of the interface of `subprocess.Popen` that tests use."""

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


def run_forked(
    server: ForkServer,
    words: Sequence[str],
    environment: Mapping[str, str],
    *,
    stdin: bytes,
    timeout: float,
    directory: str | os.PathLike[str] | None = None,
) -> tuple[int, bytes, bytes]:
    """Run a command to its end; return (exit code, output, errors). Raises TimeoutExpired."""
    deadline = time.monotonic() + timeout
    (out, their_out), (err, their_err) = os.pipe(), os.pipe()
    with tempfile.TemporaryFile() as file, open(out, "rb", 0), open(err, "rb", 0):
        file.write(stdin)
        file.seek(0)
        streams = [file.fileno(), their_out, their_err]
        process = server.fork(words, environment, streams, directory=directory)
        os.close(their_out)
        os.close(their_err)
        try:
            output, errors = _read_to_end([out, err], deadline)
            return process.wait(max(0.0, deadline - time.monotonic())), output, errors
        except (TimeoutError, subprocess.TimeoutExpired):
            raise subprocess.TimeoutExpired(list(words), timeout) from None
        finally:
            process.kill()
            process.wait()


def _read_to_end(pipes: Sequence[int], deadline: float) -> list[bytes]:
    """Return what each pipe gives until all of its writers have ended; raises TimeoutError."""
    read = {pipe: b"" for pipe in pipes}
    with selectors.DefaultSelector() as waiting:
        for pipe in pipes:
            waiting.register(pipe, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                read[key.fd] += data
                if not data:
                    waiting.unregister(key.fd)
    return list(read.values())


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that take effect only at startup."""
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}


def _umask() -> int:
    """Return the mask of this process, which `os.umask` reads only by changing it."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1], 8) for line in lines if line.startswith("Umask:"))


def _serve(role: str, number: int) -> None:
    """Import the program of a role, then fork for each request until the client has ended."""
    sys.path[:] = [path for path in sys.path if path != str(pathlib.Path(__file__).parent)]
    # setproctitle locates the title's memory on first use, and cannot once the environment is replaced.
    setproctitle.getproctitle()
    # Not gevent's, which replace them below: a hub, with its event loop, belongs to one process.
    fork, waitpid = os.fork, os.waitpid
    # Import and patch in the same order as the command.
    first, *others = PRELOADED[role]
    importlib.import_module(first)
    if role != "command":
        from salt_g.process import monkey_patch

        monkey_patch.patch()
        # Forks are patched. If TLS has been imported meanwhile, gevent would patch it again, with a warning.
        vars(monkey_patch)["patch"] = lambda: None
    for module in others:
        importlib.import_module(module)
    client = _socket.socket(fileno=number)
    # Without gevent's patch a module may keep what a later patch in a fork replaces.
    imports = Imports() if role != "command" else None
    _prepare_to_fork()
    rest = b""
    while received := _request(client, rest):
        request, streams, rest = received
        if "ended" in request:
            reply = os.waitstatus_to_exitcode(waitpid(request["ended"], 0)[1])
        else:
            reply = fork()
            if reply == 0:
                client.close()
                if imports:
                    atexit.register(imports.report)
                _run(request, streams)
            for stream in streams:
                os.close(stream)
        client.send(b"%d\n" % reply)
        if imports and imports.learn():
            _prepare_to_fork()


class Imports:
    """Modules that forks import and their server does not have yet; forks report them over a pipe."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        paths = sysconfig.get_paths()
        folders = [
            str(pathlib.Path(sys.modules["salt_g"].__file__ or "").parent),
            *(paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
        ]
        self._folders = tuple(f"{folder}{os.sep}" for folder in folders)
        self._known = set(sys.modules)

    def report(self) -> None:
        """Report the imports of this fork; names that do not fit into the pipe are dropped."""
        with contextlib.suppress(Exception):
            for name, module in list(sys.modules.items()):
                if name not in self._known and self._is_shared(name, module):
                    os.write(self._writing, f"{name}\n".encode())

    def _is_shared(self, name: str, module: Any) -> bool:
        """Return whether a module is of this Python or of salt-g: users' plugins belong to their fork."""
        spec = getattr(module, "__spec__", None)
        return spec is not None and spec.name == name and str(spec.origin).startswith(self._folders)

    def learn(self) -> bool:
        """Import the modules that forks have reported; return whether there were any."""
        text = ""
        with contextlib.suppress(BlockingIOError):
            while True:
                text += os.read(self._reading, 1 << 16).decode()
        names = set(text.split()) - self._known
        for name in sorted(names):
            # A module that cannot be imported here is imported by each fork, and must not end the server.
            with contextlib.suppress(BaseException):
                importlib.import_module(name)
        self._known.update(names, sys.modules)
        return bool(names)


def _prepare_to_fork() -> None:
    """Drop the hub, which belongs to one process, and exempt all objects from forks' garbage collections."""
    hub_local = sys.modules.get("gevent._hub_local")
    if hub_local is not None and (hub := hub_local.get_hub_if_exists()) is not None:
        # An import has waited for a lock.
        hub.destroy(destroy_loop=True)
    # A collection would copy the pages that forks share.
    gc.collect()
    gc.freeze()


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
    """Run the command in this fork; its `main` ends the process."""
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = map(_opened_again, (sys.stdin, sys.stdout, sys.stderr))
    os.chdir(request["directory"])
    os.umask(request["umask"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv[:] = request["words"]
    setproctitle.setproctitle(" ".join([sys.executable, *sys.argv]))
    from salt_g.cli import main

    main()
    raise AssertionError("main has returned")


def _opened_again(stream: Any) -> io.TextIOWrapper:
    """Return a new stream on the descriptor; the old one has cached whether it was seekable."""
    number, mode = stream.fileno(), "rb" if stream.readable() else "wb"
    return io.TextIOWrapper(
        open(number, mode, closefd=False),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=os.isatty(number) or stream is sys.stderr,
        write_through=stream.write_through,
    )


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
