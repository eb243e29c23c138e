"""Real sshd servers on loopback ports, each with its own host key and configuration in a temporary
directory.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from typing import Any

from tests.support.commands import Outcome
from tests.support.free_ports import free_port
from tests.support.servers import missing
from tests.support.waiting import until

#: Configuration common to all servers.
CONFIGURATION = """
ListenAddress 127.0.0.1
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 100
AllowTcpForwarding yes
"""


class Sshd:
    """One sshd; `settings` are those of a resource that logs in as root with a key."""

    def __init__(
        self, root: pathlib.Path, name: str, *, authentication: str = "PasswordAuthentication no"
    ) -> None:
        self.root = root / name
        self.root.mkdir()
        self.port = free_port()
        make_key(self.root / "host")
        config = self.root / "config"
        config.write_text(
            # First, because the first value of an option counts.
            f"{authentication}\nPort {self.port}\nHostKey {self.root}/host\n"
            f"AuthorizedKeysFile {root}/authorized_keys\n{CONFIGURATION}"
        )
        words = ["/usr/sbin/sshd", "-D", "-e", "-f", str(config)]
        self.log = self.root / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(words, stderr=log, start_new_session=True)
        until(lambda: b"Server listening" in self.log.read_bytes(), f"{name} to listen")

    @property
    def known_line(self) -> str:
        """Line of known_hosts with the server's key."""
        key = " ".join((self.root / "host.pub").read_text().split()[:2])
        return f"[127.0.0.1]:{self.port} {key}\n"

    def stop(self) -> None:
        """Stop the server with all its sessions."""
        for pid in [*children(self.process.pid), self.process.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()


class Place:
    """Servers, keys and settings of a test."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.servers: list[Sshd] = []
        make_key(root / "id")
        make_key(root / "locked", passphrase="a passphrase")
        keys = [(root / f"{name}.pub").read_text() for name in ("id", "locked")]
        (root / "authorized_keys").write_text("".join(keys))
        (root / "known_hosts").write_text("")

    def sshd(self, name: str, **options: Any) -> Sshd:
        """Start a server and add its key to known_hosts."""
        server = Sshd(self.root, name, **options)
        self.servers.append(server)
        with (self.root / "known_hosts").open("a") as file:
            file.write(server.known_line)
        return server

    def settings(self, server: Sshd, **other: Any) -> dict[str, Any]:
        """Return the settings of a host on a server, without those that are None."""
        found = {
            "host": "127.0.0.1", "port": server.port, "user": "root", "priv": f"{self.root}/id",
            "known_hosts_file": f"{self.root}/known_hosts", "identities_only": True, "timeout": 20,
            **other,
        }  # fmt: skip
        return {name: value for name, value in found.items() if value is not None}

    def stop(self) -> None:
        """Stop all servers."""
        for server in self.servers:
            server.stop()


@contextlib.contextmanager
def place_for_servers() -> Iterator[Place]:
    """Yield a `Place` for the duration of a `with` block; skip if programs are missing."""
    for program in ("/usr/sbin/sshd", "ssh", "ssh-keygen"):
        if shutil.which(program) is None:
            missing(f"{program} (openssh-server, openssh-client)")
    if os.geteuid() != 0:
        missing("the right to be root")
    pathlib.Path("/run/sshd").mkdir(exist_ok=True)
    root = pathlib.Path(tempfile.mkdtemp(prefix="sg-ssh-"))
    root.chmod(0o755)
    made = Place(root)
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(root, ignore_errors=True)


def make_key(path: pathlib.Path, passphrase: str = "") -> None:
    """Create a key pair."""
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(path)]
    subprocess.run(words, check=True)


def children(pid: int) -> list[int]:
    """Return all descendants of a process."""
    done = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True)
    parents = {
        int(child): int(parent) for child, parent in (line.split() for line in done.stdout.splitlines())
    }
    found: list[int] = []
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        below = [child for child, its_parent in parents.items() if its_parent == parent]
        found += below
        waiting += below
    return found


class SshOutcome:
    """Outcome of `salt-g ssh`; `value` is {id: return}."""

    def __init__(self, outcome: Outcome) -> None:
        self.code, self.out, self.err = outcome.code, outcome.out, outcome.err

    @property
    def value(self) -> Any:
        return json.loads(self.out)
