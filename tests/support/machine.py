"""A minimal Debian that systemd has booted in a container, and commands that run in it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.support.waiting import until

#: How long systemd may take to boot (s); a loaded machine needs a quarter of it.
_BOOTED_WITHIN = 120.0
#: The suite whose smallest root directory is used, and where it comes from.
_SUITE = "bookworm"
_MIRROR = os.environ.get("SALT_G_DEBIAN_MIRROR", "http://deb.debian.org/debian")
#: Packages of a machine that systemd boots and whose logs are rotated.
_PACKAGES = "systemd,systemd-sysv,dbus,logrotate,procps"
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
    "HOME": "/root",
    "LANG": "C",
    "TERM": "dumb",
    "SYSTEMD_COLORS": "0",
}


def what_is_missing() -> str:
    """Return why no machine can be booted here, "" if one can."""
    if os.geteuid():
        return "booting a machine needs root"
    if missing := [name for name in ("debootstrap", "systemd-nspawn", "nsenter") if not shutil.which(name)]:
        return f"booting a machine needs {' and '.join(missing)} (Debian: debootstrap, systemd-container)"
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--cgroup", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        capture_output=True, text=True,
    )  # fmt: skip
    return f"no namespaces here: {done.stderr.strip()}" if done.returncode else ""


def install_debian(directory: pathlib.Path, more: str = "", suite: str = _SUITE) -> None:
    """Put the smallest Debian into a directory, and `more` packages (names with commas).

    SALT_G_DEBIAN_ROOT names a directory that has all of that, for frequent trials: it is copied.
    """
    # Everybody may pass the root directory of a machine.
    directory.chmod(0o755)
    if ready := os.environ.get("SALT_G_DEBIAN_ROOT"):
        subprocess.run(["cp", "-a", f"{ready}/.", str(directory)], check=True)
        return
    words = ["--variant=minbase", *([f"--include={more}"] if more else []), suite, str(directory), _MIRROR]
    subprocess.run(["debootstrap", *words], check=True, stdout=subprocess.DEVNULL)


class Machine:
    """A booted root directory; `run` runs a command in it."""

    def __init__(self, root: pathlib.Path, pid: int) -> None:
        self.root, self.pid = root, pid

    def run(self, *words: str, timeout: float = 120.0, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command as root of the machine; return the completed process."""
        return subprocess.run(
            ["nsenter", "-t", str(self.pid), "-a", *words],
            env=_ENVIRONMENT, capture_output=True, text=True, input=text, timeout=timeout,
        )  # fmt: skip


@contextlib.contextmanager
def debian_machine(
    tmp_path_factory: pytest.TempPathFactory,
    fill: Callable[[pathlib.Path], object],
    more: str = "",
    shared: Iterable[str | pathlib.Path] = (),
) -> Iterator[Machine]:
    """Boot a Debian with systemd and without Python; it stops with the context.

    `fill(directory)` puts files into its root directory first, `more` names further packages, `shared` are
    directories of this machine that it reads under the same paths. Where nothing can be booted the test is
    skipped, or fails if all programs must be installed.
    """
    if problem := what_is_missing():
        if os.environ.get("CI"):
            pytest.fail(problem)
        pytest.skip(problem)
    directory = tmp_path_factory.mktemp("machine")
    install_debian(directory, ",".join(filter(None, (_PACKAGES, more))))
    (directory / "etc/hosts").write_text("127.0.0.1 localhost\n")
    (directory / "etc/hostname").write_text("night\n")
    fill(directory)
    with booted(directory, tmp_path_factory.mktemp("log") / "boot.log", shared=shared) as running:
        yield running


@contextlib.contextmanager
def booted(
    root: pathlib.Path, log: pathlib.Path, shared: Iterable[str | pathlib.Path] = ()
) -> Iterator[Machine]:
    """Boot a root directory, without a network except its own loopback; it stops with the context.

    `shared` are directories of this machine that it reads under the same paths.
    """
    binds = "".join(f" --bind-ro={path}" for path in shared)
    # nspawn wants a /run of its own that is a mount, which not every container has.
    boot = (
        "mount -t tmpfs tmpfs /run && exec systemd-nspawn --quiet --register=no --keep-unit"
        f" --private-network --directory={root}{binds} --boot"
    )
    with log.open("wb") as out:
        words = ["unshare", "--mount", "sh", "-c", boot]
        nspawn = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    pid = 0
    try:
        pid = _first_process(nspawn, log)
        machine = Machine(root, pid)
        until(lambda: _is_up(machine), "all units are started", seconds=_BOOTED_WITHIN)
        yield machine
    finally:
        os.kill(pid or nspawn.pid, signal.SIGKILL)
        nspawn.wait(60)


def _is_up(machine: Machine) -> bool:
    """Wait for the end of the boot; systemctl itself does not wait for the socket of a starting systemd."""
    state = machine.run("systemctl", "is-system-running", "--wait", timeout=_BOOTED_WITHIN).stdout.strip()
    # "degraded" too: a container may lack what some unit of the distribution wants.
    return state in ("running", "degraded")


def _first_process(nspawn: subprocess.Popen[bytes], log: pathlib.Path) -> int:
    """Return the process id, here, of the machine's process 1, once it is systemd."""

    def booted() -> int:
        for pid in _below(nspawn.pid):
            with contextlib.suppress(OSError):
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
                if re.search(r"^NSpid:.*\t1$", status, re.M) and status.startswith("Name:\tsystemd\n"):
                    return pid
        return 0

    until(lambda: booted() or nspawn.poll() is not None, "systemd runs", seconds=_BOOTED_WITHIN)
    if pid := booted():
        return pid
    raise AssertionError(f"systemd did not boot:\n{log.read_text(errors='replace')[-2000:]}")


def _below(pid: int) -> list[int]:
    try:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [found for child in map(int, children) for found in (child, *_below(child))]
