"""A daemon on the loopback interface with its own root directory, and what stock's programs require."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

import yaml


class Daemon:
    """A master or minion, according to `name`; `command` starts it, `settings` go into its config file."""

    def __init__(
        self, name: str, command: Sequence[str], root: pathlib.Path, settings: Mapping[str, Any]
    ) -> None:
        self.name, self.command, self.root = name, command, root
        self.conf = root / "conf"
        self.conf.mkdir(parents=True)
        self.process: subprocess.Popen[bytes] | None = None
        self.settings: dict[str, Any] = {
            "root_dir": str(root),
            "pki_dir": str(root / "pki"),
            "cachedir": str(root / "cache"),
            "sock_dir": str(root / "run"),
            "pidfile": str(root / "pid"),
            "log_file": str(root / "log"),
            "key_logfile": str(root / "keylog"),
            "log_level_logfile": "info",
            "enable_fqdns_grains": False,
            "enable_gpu_grains": False,
            **settings,
        }
        (self.conf / name).write_text(yaml.safe_dump(self.settings))

    def start(self) -> None:
        """Start it; there is no notification once it is up."""
        with open(self.root / "output", "ab") as output:
            self.process = subprocess.Popen(
                [*self.command, "-c", str(self.conf)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=clean_environment(),
                start_new_session=True,
            )

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stop it; its process leads a group of its own, so stock's child processes stop with it."""
        if self.process is None:
            return
        for each in (number, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, each)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        self.process = None
        # Stock takes a child that has ended, and that has not been reaped yet, for a daemon that runs.
        pidfile = pathlib.Path(self.settings["pidfile"])
        for path in (pidfile, pidfile.with_name(f"process_responsibility_{pidfile.name}")):
            path.unlink(missing_ok=True)

    def restart(self) -> None:
        """Stop it and start it again."""
        self.stop()
        self.start()

    def log(self) -> str:
        """Return the end of its log and output."""
        paths = (self.root / "output", self.root / "log")
        return "\n".join(path.read_text(errors="replace")[-6000:] for path in paths if path.exists())


def clean_environment() -> dict[str, str]:
    """Return this environment without variables that affect stock."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SALT")}
    # Stock picks up a token that lies in the home directory.
    return {**kept, "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "PYTHONWARNINGS": "ignore"}
