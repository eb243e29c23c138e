"""Real daemons for tests: started on free ports below a temporary directory, stopped by SIGTERM.

No test sleeps: a daemon reports over NOTIFY_SOCKET when it serves and on which ports.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import time
from typing import Any, TypeVar

import yaml

from tests.support import key_pairs
from tests.support.commands import PROGRAM
from tests.support.fork_server import ForkedProcess, fork_server
from tests.support.waiting import DEADLINE

P = TypeVar("P", bound="Process")


class Process:
    """Daemon in the foreground, with its notifications and its log.

    `program` is the command to start; a test may replace it before `start`. With `is_forked`, the daemon is
    forked from a process that has imported it (`fork_server.py`), for tests that do not test startup.
    """

    def __init__(
        self,
        root: str | pathlib.Path,
        role: str,
        settings: dict[str, Any],
        *,
        program: str | pathlib.Path = PROGRAM,
        is_forked: bool = False,
    ) -> None:
        self.root = pathlib.Path(root)
        self.role = role
        self.config_dir = self.root / f"conf-{role}"
        self.config_name = role
        self.settings = settings
        self.program = program
        self.is_forked = is_forked
        self._log = self.root / f"{role}.log"
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None
        self.readiness: dict[str, str] = {}

    def start(self: P) -> P:
        """Start the daemon and wait until it serves; raises AssertionError with its log on failure."""
        self.config_dir.mkdir(exist_ok=True)
        (self.config_dir / self.config_name).write_text(yaml.safe_dump(self.settings))
        notified = self.root / f"notify-{self.role}"
        with contextlib.suppress(FileNotFoundError):
            notified.unlink()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener, open(self._log, "ab") as log:
            listener.bind(str(notified))
            # Like systemd's socket: daemons write to it after they have changed user.
            notified.chmod(0o666)
            environment = {**os.environ, "NOTIFY_SOCKET": str(notified), "LC_ALL": "C.UTF-8"}
            self._process = self._run(environment, log.fileno())
            self.readiness = self._wait_until_ready(listener)
        return self

    def _run(self, environment: dict[str, str], log: int) -> subprocess.Popen[bytes] | ForkedProcess:
        """Run the command in a session of its own."""
        words = [str(self.program), self.role, "-c", str(self.config_dir)]
        server = fork_server(self.role) if self.is_forked and self.program == PROGRAM else None
        if server is not None and server.can_fork(environment):
            with open(os.devnull, "rb") as nothing:
                return server.fork(words, environment, [nothing.fileno(), log, log])
        return subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=environment,
        )

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process is not None
        return self._process.pid

    def log(self) -> str:
        """Return the daemon's log, over all its starts."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def is_running(self) -> bool:
        """Return whether the process is running."""
        return self._process is not None and self._process.poll() is None

    def send_signal(self, number: int) -> None:
        """Send a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def stop(self, *, code: int = 0) -> None:
        """Stop the daemon by SIGTERM and check its exit code."""
        if self._process is None:
            return
        if self.is_running():
            self._process.send_signal(signal.SIGTERM)
        ended = self._process.wait(DEADLINE)
        self._process = None
        assert ended == code, f"{self.role} ended with {ended}, its log:\n{self.log()}"

    def kill(self) -> None:
        """Kill the daemon with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(DEADLINE)
            self._process = None

    def _wait_until_ready(self, listener: socket.socket) -> dict[str, str]:
        deadline = time.monotonic() + DEADLINE
        listener.settimeout(0.2)
        while time.monotonic() < deadline:
            if not self.is_running():
                raise AssertionError(f"{self.role} ended while it started, its log:\n{self.log()}")
            with contextlib.suppress(TimeoutError):
                result = dict(line.split("=", 1) for line in listener.recv(4096).decode().splitlines())
                if result.get("READY") == "1":
                    return result
        self.kill()
        raise AssertionError(f"{self.role} was not ready in {DEADLINE:g} s, its log:\n{self.log()}")


class RunningMaster(Process):
    """Master below `root`; a restart after `stop` or `kill` uses the same ports.

    It has a key pair from the beginning, unless it `makes_key`.
    """

    def __init__(
        self,
        root: str | pathlib.Path,
        *,
        program: str | pathlib.Path = PROGRAM,
        makes_key: bool = False,
        is_forked: bool = False,
        **settings: Any,
    ) -> None:
        root = pathlib.Path(root)
        root.mkdir(parents=True, exist_ok=True)
        for name in ("states", "pillar"):
            (root / name).mkdir(exist_ok=True)
        all_settings = {**_master_settings(root), **settings}
        super().__init__(root, "master", all_settings, program=program, is_forked=is_forked)
        self._makes_key = makes_key

    def start(self) -> RunningMaster:
        """Start the master and keep its ports for restarts."""
        if not self._makes_key:
            key_pairs.place(self.pki_dir, "master")
        super().start()
        self.ret_port = int(self.readiness["X_RET_PORT"])
        self.publish_port = int(self.readiness["X_PUBLISH_PORT"])
        self.settings.update(ret_port=self.ret_port, publish_port=self.publish_port)
        return self

    @property
    def cachedir(self) -> pathlib.Path:
        """Master's `cachedir`."""
        return pathlib.Path(self.settings["cachedir"])

    @property
    def sock_dir(self) -> pathlib.Path:
        """Master's `sock_dir`."""
        return pathlib.Path(self.settings["sock_dir"])

    @property
    def pki_dir(self) -> pathlib.Path:
        """Master's `pki_dir`."""
        return pathlib.Path(self.settings["pki_dir"])

    @property
    def root_key(self) -> str:
        """Root key: the secret of the master's own user, as the command line sends it."""
        return next(self.cachedir.glob(".*_key")).read_text().strip()


class RunningApi(Process):
    """HTTP API of a running master, whose settings it reads; `url` is its address."""

    def __init__(self, master: RunningMaster, *, program: str | pathlib.Path = PROGRAM) -> None:
        super().__init__(master.root, "api", master.settings, program=program)
        self.config_dir = master.config_dir
        self.config_name = "master"

    @property
    def port(self) -> int:
        """Its port."""
        return int(self.readiness["X_URL"].rpartition(":")[2])


class RunningMinion(Process):
    """Minion below `root`; a restart after `stop` or `kill` keeps its key and disk.

    It has a key pair from the beginning, unless it `makes_key`.
    """

    def __init__(
        self,
        root: str | pathlib.Path,
        *,
        program: str | pathlib.Path = PROGRAM,
        makes_key: bool = False,
        is_forked: bool = False,
        **settings: Any,
    ) -> None:
        root = pathlib.Path(root)
        root.mkdir(parents=True, exist_ok=True)
        all_settings = {**_minion_settings(root), **settings}
        super().__init__(root, "minion", all_settings, program=program, is_forked=is_forked)
        self._makes_key = makes_key

    def start(self) -> RunningMinion:
        """Start the minion."""
        if not self._makes_key:
            key_pairs.place(pathlib.Path(self.settings["pki_dir"]), "minion")
        return super().start()

    @property
    def id(self) -> str:
        """Minion's id."""
        id: str = self.settings["id"]
        return id

    @property
    def cachedir(self) -> pathlib.Path:
        """Minion's `cachedir`."""
        return pathlib.Path(self.settings["cachedir"])

    @property
    def is_connected(self) -> bool:
        """Whether the minion was connected to a master when it reported ready."""
        return self.readiness.get("X_CONNECTED", "0") != "0"


def _minion_settings(root: pathlib.Path) -> dict[str, Any]:
    return {
        # Jobs of tests that are left at the end need no minute.
        "job_stop_timeout": 1,
        "id": "m1",
        "root_dir": str(root),
        "cachedir": str(root / "cache"),
        "pki_dir": str(root / "pki"),
        "sock_dir": str(root / "sock"),
        "pidfile": str(root / "minion.pid"),
        "log_file": str(root / "log-minion"),
        "log_level": "info",
        "log_level_logfile": "quiet",
        "user": pwd.getpwuid(os.getuid()).pw_name,
        "enable_gpu_grains": False,
        "enable_fqdns_grains": False,
        "mine_enabled": False,
        # Reconnect at once to a master that a test restarts.
        "recon_default": 100,
        "recon_max": 200,
        "acceptance_wait_time": 0.2,
        "random_reauth_delay": 0,
        "return_retry_timer": 1,
        "return_retry_timer_max": 2,
    }


def _master_settings(root: pathlib.Path) -> dict[str, Any]:
    return {
        "root_dir": str(root),
        "cachedir": str(root / "cache"),
        "pki_dir": str(root / "pki"),
        "sock_dir": str(root / "sock"),
        "pidfile": str(root / "master.pid"),
        "log_file": str(root / "log-master"),
        "api_pidfile": str(root / "api.pid"),
        "api_logfile": str(root / "log-api"),
        "log_level": "info",
        "log_level_logfile": "quiet",
        "user": pwd.getpwuid(os.getuid()).pw_name,
        "interface": "127.0.0.1",
        "ret_port": 0,
        "publish_port": 0,
        "auto_accept": True,
        "file_roots": {"base": [str(root / "states")]},
        "pillar_roots": {"base": [str(root / "pillar")]},
        "worker_threads": 4,
    }
