"""Network namespaces: hosts of their own for daemons under test, whose connections can be cut."""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.support.commands import PROGRAM

#: What a cut drops, as rules of the namespace: packets to a port, from it, both.
CUTS = {
    "to": [("OUTPUT", "--dport")],
    "from": [("INPUT", "--sport")],
    "both": [("OUTPUT", "--dport"), ("INPUT", "--sport")],
}


#: No link or address is used twice by one process: the kernel removes those of a namespace some time later.
_NUMBERS = itertools.count()


class Namespace:
    """Namespace with one link to this host: `outer` is this host's address there, `inner` its own."""

    def __init__(self) -> None:
        number = next(_NUMBERS)
        self.name = f"saltg{os.getpid()}n{number}"
        self._link = f"sg{os.getpid() % 10**6}n{number}"
        # Those of another process may be there, too.
        first, host = divmod(4 * (os.getpid() + number) % 2**16, 256)
        self.network = f"10.213.{first}.{host}/30"
        self.outer, self.inner = f"10.213.{first}.{host + 1}", f"10.213.{first}.{host + 2}"

    def open(self) -> None:
        """Create it."""
        _ip("netns", "add", self.name)
        _ip("link", "add", self._link, "type", "veth", "peer", "name", "inner", "netns", self.name)
        _ip("addr", "add", f"{self.outer}/30", "dev", self._link)
        _ip("link", "set", self._link, "up")
        _ip("-n", self.name, "addr", "add", f"{self.inner}/30", "dev", "inner")
        for link in ("inner", "lo"):
            _ip("-n", self.name, "link", "set", link, "up")

    def close(self) -> None:
        """Remove it with its link."""
        _ip("netns", "del", self.name)

    def program(self, directory: pathlib.Path) -> pathlib.Path:
        """Return a program that runs salt-g in the namespace."""
        path = directory / f"salt-g-{self.name}"
        path.write_text(f'#!/bin/sh\nexec ip netns exec {self.name} {PROGRAM} "$@"\n')
        path.chmod(0o755)
        return path

    def cut(self, direction: str, port: int) -> None:
        """Drop packets of connections to a remote port, in one direction or both."""
        for chain, end in CUTS[direction]:
            self._filter("-A", chain, "-p", "tcp", end, str(port), "-j", "DROP")

    def heal(self) -> None:
        """Drop nothing any more."""
        self._filter("-F")

    def _filter(self, *words: str) -> None:
        _ip("netns", "exec", self.name, "iptables", "-w", *words)


@contextlib.contextmanager
def namespace() -> Iterator[Namespace]:
    """Make a namespace for the duration of the block; skip the test where that is not allowed."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("iptables"):
        pytest.skip("network namespaces need root, ip and iptables")
    made = Namespace()
    try:
        made.open()
    except subprocess.CalledProcessError as exc:
        with contextlib.suppress(subprocess.CalledProcessError):
            made.close()
        pytest.skip(f"network namespaces are not allowed here: {exc.stderr.strip()}")
    try:
        yield made
    finally:
        made.close()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)
