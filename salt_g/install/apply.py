"""Execution of installation steps, and their display.

The only file of the package that changes the host.
Errors: CommandExecutionError for a command that failed; OSError from file operations.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
from collections.abc import Iterable, Iterator

from salt_g.data import text_diff
from salt_g.errors import CommandExecutionError
from salt_g.install.host import Host
from salt_g.install.manifest import DIRECTORY, TREE
from salt_g.install.steps import (
    CopyFile,
    CopyTree,
    MakeDirectory,
    PutFile,
    PutLink,
    Remove,
    RunCommand,
    Step,
)
from salt_g.process import disk

#: Timeout of a command (s), long enough for a daemon to shut down.
_TIMEOUT = 180.0


def carry_out(steps: Iterable[Step], host: Host) -> Iterator[str]:
    """Carry out each step, then yield a line that reports it."""
    for step in steps:
        _do(step, host)
        yield summary_line(step)


def summary_line(step: Step) -> str:
    """Return a one-line summary of a step."""
    match step:
        case RunCommand(words):
            return f"run     {' '.join(words)}"
        case MakeDirectory(path):
            return f"make    {path}/"
        case PutFile(path):
            return f"write   {path}"
        case PutLink(path, target):
            return f"link    {path} -> {target}"
        case CopyFile(path, source) | CopyTree(path, source):
            return f"copy    {source} to {path}"
        case Remove(path):
            return f"remove  {path}"


def details(step: Step, host: Host) -> str:
    """Return a step in full: its line, and the diff of its file."""
    line = summary_line(step)
    if isinstance(step, MakeDirectory):
        return f"{line} (mode {step.mode:04o})"
    if not isinstance(step, PutFile):
        return line
    line = f"{line} (mode {step.mode:04o})"
    if step.instead:
        return f"{line}: {step.instead}"
    before = host.read(step.path) if host.exists(step.path) else b""
    changed = text_diff.diff(_lines(before), _lines(step.content), "before", "after").rstrip("\n")
    return "\n".join([line, *(f"    {one}" for one in changed.splitlines())])


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").splitlines(keepends=True)


def _do(step: Step, host: Host) -> None:
    match step:
        case RunCommand(words, may_fail):
            _run(words, may_fail)
        case MakeDirectory(path, mode):
            os.mkdir(host.place(path), mode)
            os.chmod(host.place(path), mode)
        case PutFile(path, content, mode):
            disk.write_whole(host.place(path), content, mode=mode)
        case PutLink(path, target):
            _link(host.place(path), target)
        case CopyFile(path, source, mode):
            _copy_file(source, host.place(path), mode)
        case CopyTree(path, source):
            _copy_tree(source, host.place(path))
        case Remove(path, kind):
            _remove(host.place(path), kind)


def _run(words: tuple[str, ...], may_fail: bool) -> None:
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as exc:
        if may_fail:
            return
        raise CommandExecutionError(f"{' '.join(words)}: {exc}") from exc
    if done.returncode and not may_fail:
        said = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise CommandExecutionError(f"{' '.join(words)}: {said}")


def _link(path: str, target: str) -> None:
    """Replace a link atomically, so that the program exists at every moment."""
    temporary = f"{path}.salt-g-new"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    os.symlink(target, temporary)
    os.replace(temporary, path)


def _copy_file(source: str, path: str, mode: int) -> None:
    with disk.replacing(path, new_mode=mode) as file, open(source, "rb") as original:
        shutil.copyfileobj(original, file)


def _copy_tree(source: str, path: str) -> None:
    """Copy a tree completely or not at all, readable by all users, with the owner's execute bits for all."""
    temporary = f"{path}.new"
    shutil.rmtree(temporary, ignore_errors=True)
    shutil.copytree(source, temporary, symlinks=True)
    for directory, _, files in os.walk(temporary):
        os.chmod(directory, 0o755)  # noqa: S103 - a directory of programs
        for name in files:
            file = os.path.join(directory, name)
            if not os.path.islink(file):
                os.chmod(file, 0o755 if os.stat(file).st_mode & stat.S_IXUSR else 0o644)
    os.rename(temporary, path)


def _remove(path: str, kind: str) -> None:
    """Remove a path; a directory that contains other files stays."""
    with contextlib.suppress(FileNotFoundError):
        if kind == TREE:
            shutil.rmtree(path)
        elif kind == DIRECTORY:
            with contextlib.suppress(OSError):
                os.rmdir(path)
        else:
            os.unlink(path)
