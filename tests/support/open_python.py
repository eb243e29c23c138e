"""This Python for daemons of other users, even where it lies below a directory that is closed to them.

A closed home (`/root` of many images) hides an interpreter and this checkout from every other user. Programs
started by `enter` have mounts of their own: in place of each closed directory an open one with nothing but
what Python needs. The machine's other programs see no change.
"""

import os
import pathlib
import shlex
import subprocess
import sys

import pytest

from tests.support.commands import PROGRAM

#: Directories that a daemon reads: interpreter, environment, this checkout.
NEEDED = (sys.base_prefix, sys.prefix, str(pathlib.Path(__file__).parents[2]))
#: A user of every system without rights of its own.
OTHER = ("setpriv", "--reuid=1", "--regid=1", "--clear-groups")
#: As the daemons do it: what is imported later must be readable then.
IMPORTS = "import gevent, hashlib, pprint, zmq, salt_g.master.daemon"


class OpenPython:
    """Two programs in a directory: `enter` runs its arguments with open mounts, `program` is salt-g there.

    Skips the test where this Python is closed and mounts cannot be made; fails it where both are promised.
    """

    def __init__(self, directory: pathlib.Path) -> None:
        self.enter = directory / "enter"
        self.program = directory / "salt-g"
        _write_script(self.enter, [*_mounts(closed(NEEDED), directory / "kept"), 'exec "$@"'])
        _write_script(self.program, [f'exec {self.enter} {shlex.quote(PROGRAM)} "$@"'])
        words = [str(self.enter), *OTHER, sys.executable, "-c", IMPORTS]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        if done.returncode:
            why = f"this Python is closed to other users: {done.stderr.strip()[-200:]}"
            (pytest.fail if os.environ.get("SALT_G_NEEDS_NAMESPACES") else pytest.skip)(why)


def closed(paths: tuple[str, ...]) -> dict[str, list[str]]:
    """Return {topmost closed directory: the paths below it}, for paths that other users cannot reach."""
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys(map(os.path.realpath, paths)):
        above = reversed(pathlib.Path(path).parents)
        top = next((str(one) for one in above if not one.stat().st_mode & 0o001), None)
        if top is not None:
            found.setdefault(top, []).append(path)
    return found


def _mounts(closed: dict[str, list[str]], kept: pathlib.Path) -> list[str]:
    """Return shell lines that put an open directory over each closed one and keep what is needed of it.

    They run in a mount namespace: the first line starts the script again in one.
    """
    if not closed:
        return []
    lines = ['[ "$SALT_G_MOUNTS" ] || SALT_G_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"']
    for number, (top, paths) in enumerate(closed.items()):
        places = [(shlex.quote(path), shlex.quote(f"{kept}-{number}-{n}")) for n, path in enumerate(paths)]
        for path, place in places:
            lines.append(f"(umask 022; mkdir -p {place}) && mount --rbind {path} {place}")
        lines.append(f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(top)}")
        for path, place in places:
            lines.append(f"(umask 022; mkdir -p {path}) && mount --rbind {place} {path}")
    return lines


def _write_script(path: pathlib.Path, lines: list[str]) -> None:
    path.write_text("\n".join(["#!/bin/sh", "set -eu", 'SALT_G_MOUNTS="${SALT_G_MOUNTS-}"', *lines, ""]))
    path.chmod(0o755)
