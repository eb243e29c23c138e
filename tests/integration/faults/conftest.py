"""Fixtures of fault tests: daemons on networks, disks and clocks that a test controls."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from tests.support.commands import PROGRAM
from tests.support.daemons import RunningMaster, RunningMinion

#: Set where namespaces and mounts are promised: there a test that cannot have them fails.
PROMISED = "SALT_G_NEEDS_NAMESPACES"

#: Starts salt-g after the lines of a test were run in its process.
ALTERED = """\
#!{python}
import sys

import gevent.monkey

gevent.monkey.patch_all()
{lines}
from salt_g.cli import main

sys.exit(main())
"""


class Tools:
    """Programs and scripts in a directory of the test."""

    def __init__(self, directory):
        self._directory = directory

    def script(self, name, text):
        """Write an executable file and return its path."""
        path = self._directory / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def altered(self, lines, name="altered"):
        """Return a salt-g that runs these lines of Python first."""
        return self.script(name, ALTERED.format(python=sys.executable, lines=lines))

    def inside(self, words, program=PROGRAM, name="inside"):
        """Return a salt-g that is started through another command, such as `ip netns exec`."""
        return self.script(name, f'#!/bin/sh\nexec {words} {program} "$@"\n')


@pytest.fixture
def tools(daemon_root):
    """Make programs for daemons: `tools.altered(lines)`, `tools.inside(words)`."""
    return Tools(daemon_root)


@pytest.fixture
def ending():
    """Yield an ExitStack that outlives the test; its contexts are closed in reverse order."""
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def make_master(daemon_root, ending):
    """Return a factory: `make_master(**settings)` returns a master that the test itself starts."""

    def make(**settings):
        master = RunningMaster(daemon_root / "master", **settings)
        ending.callback(end, master)
        return master

    return make


@pytest.fixture
def make_minion(daemon_root, ending):
    """Return a factory: `make_minion(id="m1", **settings)` returns a minion that the test itself starts."""

    def make(id="m1", **settings):
        minion = RunningMinion(daemon_root / id, id=id, **settings)
        ending.callback(end, minion)
        return minion

    return make


def end(daemon):
    """Stop a daemon gracefully; kill it if that fails."""
    try:
        daemon.stop()
    finally:
        daemon.kill()
        # Shown when the test has failed.
        print(daemon.log())


@pytest.fixture
def client(ending):
    """Return a function that makes a LocalClient of a master, closed at the end.

    Each start of the master needs a new one.
    """
    from salt_g.client import LocalClient

    return lambda master: ending.enter_context(LocalClient(c_path=str(master.config_dir / "master")))


@pytest.fixture
def run():
    """Run `salt-g run` on a master: `run(master, "jobs.lookup_jid", jid)` is its result."""

    def call(master, *words, code=0):
        finished = subprocess.run(
            [PROGRAM, "run", "-c", str(master.config_dir), "--out=json", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert finished.returncode == code, finished.stderr
        return json.loads(finished.stdout)

    return call


@pytest.fixture
def as_root():
    """Require root: skip without it, or fail where all requirements are promised."""
    if os.geteuid():
        missing("only root may mount and make networks")


def missing(why):
    """Skip a test, or fail it where all requirements are promised."""
    if os.environ.get(PROMISED):
        pytest.fail(f"{why}, and {PROMISED} is set")
    pytest.skip(why)


class SmallDisk:
    """A small file system in memory."""

    def __init__(self, path, size):
        self.path = pathlib.Path(path)
        self._ballast = self.path / "ballast"
        self.path.mkdir(parents=True, exist_ok=True)
        command("mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "sg-test", str(self.path))

    def fill(self):
        """Use up all free space."""
        with contextlib.suppress(OSError), open(self._ballast, "ab", buffering=0) as file:
            while True:
                file.write(b"\0" * 4096)
        with contextlib.suppress(OSError), open(self._ballast, "ab", buffering=0) as file:
            while True:
                file.write(b"\0")

    def empty(self):
        """Free the space again."""
        self._ballast.unlink()

    def make_read_only(self):
        """Remount read-only; files that are open for writing stay writable."""
        command("mount", "--bind", str(self.path), str(self.path))
        command("mount", "-o", "remount,bind,ro", str(self.path))

    def make_writable(self):
        """Remount writable."""
        command("umount", "-l", str(self.path))

    def remove(self):
        """Unmount it, even if it is still read-only."""
        while os.path.ismount(self.path):
            command("umount", "-l", str(self.path))


@pytest.fixture
def small_disk(as_root, ending):
    """Return a factory: `small_disk(path, size="8m")` mounts a SmallDisk."""

    def mount(path, size="8m"):
        try:
            disk = SmallDisk(path, size)
        except (OSError, subprocess.CalledProcessError) as exc:
            missing(f"nothing can be mounted here: {exc}")
        ending.callback(disk.remove)
        return disk

    return mount


class Network:
    """A master's host and a minion's host with a router between them, which can drop packets.

    Each is a network namespace. The router drops silently, as a broken network does.
    """

    MASTER, MINION = "10.213.1.2", "10.213.2.2"

    def __init__(self, ending):
        self._name = f"sg{os.getpid()}"
        for host in ("master", "minion", "router"):
            command("ip", "netns", "add", self._of(host))
            ending.callback(command, "ip", "netns", "del", self._of(host))
        for number, host in enumerate(("master", "minion"), 1):
            self._connect(host, f"10.213.{number}")
        self._in("router", "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")

    def words(self, host):
        """Return the words that start a program on a host."""
        return f"ip netns exec {self._of(host)}"

    def cut(self, port=None):
        """Drop all packets between the hosts, or those of one port."""
        for rule in _rules(port):
            self._in("router", "ip", "rule", "add", "pref", "1", *rule, "blackhole")

    def heal(self, port=None):
        """Forward again."""
        for rule in _rules(port):
            self._in("router", "ip", "rule", "del", "pref", "1", *rule, "blackhole")

    def connections(self, host, port):
        """Return the number of open TCP connections of a host with this port at one of their ends."""
        table = self._in(host, "cat", "/proc/net/tcp")
        rows = [line.split() for line in table.splitlines()[1:]]
        mark = f":{port:04X}"
        return sum(row[3] == "01" and (row[1].endswith(mark) or row[2].endswith(mark)) for row in rows)

    def _connect(self, host, net):
        ends = [f"{self._name}{host[:2]}{number}" for number in (0, 1)]
        command("ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
        for end, place, number in ((ends[0], host, 2), (ends[1], "router", 1)):
            command("ip", "link", "set", end, "netns", self._of(place))
            self._in(place, "ip", "addr", "add", f"{net}.{number}/24", "dev", end)
            self._in(place, "ip", "link", "set", end, "up")
            self._in(place, "ip", "link", "set", "lo", "up")
        self._in(host, "ip", "route", "add", "default", "via", f"{net}.1")

    def _of(self, host):
        return f"{self._name}{host}"

    def _in(self, host, *words):
        return command("ip", "netns", "exec", self._of(host), *words)


def _rules(port):
    if port is None:
        return [()]
    return [("ipproto", "tcp", end, str(port)) for end in ("dport", "sport")]


@pytest.fixture
def own_mounts(as_root):
    """Return words that start a program in a mount namespace of its own."""
    try:
        command("unshare", "-m", "true")
    except (OSError, subprocess.CalledProcessError) as exc:
        missing(f"no program can have mounts of its own here: {exc}")
    return "unshare -m"


@pytest.fixture
def network(as_root, ending):
    """Return a Network."""
    if not shutil.which("ip"):
        missing("the program ip (package iproute2) is not here")
    try:
        return Network(ending)
    except subprocess.CalledProcessError as exc:
        missing(f"networks cannot be made here: {exc.stderr.strip()}")


def command(*words):
    """Run a program and return what it prints."""
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=30).stdout
