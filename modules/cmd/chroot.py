"""`cmd.run_chroot`: commands inside another root directory, with /dev, /proc and /sys mounted."""

from __future__ import annotations

import contextlib
import glob
import logging
import os
import shlex
import signal
import time
from collections.abc import Iterator
from typing import Any

from salt_g.api import call
from salt_g.modules.cmd.running import run_all

log = logging.getLogger(__name__)

#: Mounts during the command: directory, device, type.
MOUNTS = (("dev", "devtmpfs", "devtmpfs"), ("proc", "proc", "proc"), ("sys", "sysfs", "sysfs"))
#: Signals sent to leftover processes, one per round.
SIGNALS = (signal.SIGTERM, signal.SIGTERM, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL)
#: Pause between two rounds, in seconds.
ROUND = 0.2


def run_chroot(
    root: str,
    cmd: Any,
    runas: str | None = None,
    group: str | None = None,
    python_shell: bool = True,
    binds: list[str] | None = None,
    output_loglevel: str = "quiet",
    **options: Any,
) -> dict[str, Any]:
    """Run a command inside another root; return `pid`, `retcode`, `stdout` and `stderr`.

    root
        The root directory.
    runas, group
        User and group inside that root; `group` needs `runas`.
    binds
        Directories of this machine to bind-mount at the same paths inside.

    The other options are those of `cmd.run_all`. Mounting is done by `mount.*`.

    Example::

        salt-g cmd.run_chroot /srv/image 'apt-get update'
    """
    inner = " ".join(map(str, cmd)) if isinstance(cmd, (list, tuple)) else str(cmd)
    shell = "/bin/bash" if os.path.isfile(os.path.join(root, "bin/bash")) else "/bin/sh"
    userspec = f"--userspec {shlex.quote(f'{runas}:{group or str()}')} " if runas else ""
    outer = f"chroot {userspec}{shlex.quote(root)} {shell} -c {shlex.quote(inner)}"
    with _mounted(root, binds or []):
        try:
            return run_all(outer, python_shell=python_shell, output_loglevel=output_loglevel, **options)
        finally:
            _clear(root)


@contextlib.contextmanager
def _mounted(root: str, binds: list[str]) -> Iterator[None]:
    """Mount the file systems that commands expect; unmount them in reverse order after the block."""
    with contextlib.ExitStack() as stack:
        for name, device, fstype in MOUNTS:
            _mount(stack, os.path.join(root, name), device, fstype=fstype)
        for bind in binds:
            _mount(stack, os.path.join(root, os.path.relpath(bind, "/")), bind, opts="default,bind")
        yield


def _mount(stack: contextlib.ExitStack, target: str, device: str, **options: str) -> None:
    call("mount.mount", target, device, **options)
    stack.callback(call, "mount.umount", target)


def _clear(root: str) -> None:
    """End all processes that still run inside the root, because they would keep the mounts busy."""
    for number in SIGNALS:
        pids = _pids_inside(root)
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(ROUND)
    if _pids_inside(root):
        log.error("Processes running in chroot could not be killed, filesystem will remain mounted")


def _pids_inside(root: str) -> list[int]:
    inside = os.path.realpath(root)
    if inside == "/":
        return []
    pids = []
    for link in glob.glob("/proc/[0-9]*/root"):
        with contextlib.suppress(OSError):
            target = os.readlink(link)
            if target == inside or target.startswith(inside + "/"):
                pids.append(int(link.split("/")[2]))
    return pids
