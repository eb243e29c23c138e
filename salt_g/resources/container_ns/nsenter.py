"""Translation of a resource's settings into a command line of `nsenter`.

The settings are checked here, before anything runs.
Errors: CommandExecutionError, which names the resource and the setting.
Source: nsenter(1), proc(5), namespaces(7).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import salt_g.resources.container_ns.confined as confined
from salt_g.errors import CommandExecutionError
from salt_g.process.command import as_python
from salt_g.resources.container_ns.accounts import Account

#: Namespaces to enter, by their name in /proc, with the matching option of nsenter(1).
_KINDS = {"user": "user", "mnt": "mount", "net": "net", "uts": "uts", "ipc": "ipc", "pid": "pid"}
_SHORT = {option: kind for kind, option in _KINDS.items()}


class NamespaceEntry(NamedTuple):
    """Namespaces to enter, as options of nsenter, and root: a path on the host, '' for the host's root."""

    namespaces: tuple[str, ...]
    root: str
    pid: int | None = None

    def words(self, argv: Sequence[str], *, cwd: str, who: Account | None = None) -> list[str]:
        """Return the command line that runs a program inside; `cwd` is a path on the host."""
        if self.pid is not None:
            return self._confined_words(argv, cwd, who)
        root = [f"--root={self.root}"] if self.root else []
        identity = [f"--setuid={who.uid}", f"--setgid={who.gid}"] if who is not None else []
        return ["nsenter", *self.namespaces, *root, f"--wd={cwd}", *identity, "--", *argv]

    def _confined_words(self, argv: Sequence[str], cwd: str, who: Account | None) -> list[str]:
        """Return a command line that also applies the limits of the process, as `nsenter` cannot do."""
        entered = [option[2:].split("=", 1) for option in self.namespaces]
        spec = {
            "pid": self.pid,
            "begun": begun_at(self.pid or 0),
            "namespaces": [[_SHORT[kind], path] for kind, path in entered],
            "root": self.root,
            "cwd": cwd,
            "uid": None if who is None else who.uid,
            "gid": None if who is None else who.gid,
        }
        program = os.path.abspath(confined.__file__)
        return [*as_python(), "-I", program, json.dumps(spec), "--", *argv]

    def network_words(self, argv: Sequence[str]) -> list[str]:
        """Return the command line that runs a program of the host in the network namespace only."""
        net = [option for option in self.namespaces if option.startswith("--net=")]
        return ["nsenter", *net, "--", *argv] if net else list(argv)


def read_entry(id: str, settings: Mapping[str, Any], *, namespaces: str) -> NamespaceEntry:
    """Return the namespaces and root to enter; `namespaces` is the directory of named network namespaces."""
    options: list[str] = []
    root, pid = "", None
    if settings.get("pid") is not None:
        pid = _pid(id, settings["pid"])
        options, root = _of_process(pid)
    if settings.get("netns") is not None:
        options = [option for option in options if not option.startswith("--net=")]
        options.append(f"--net={_network(id, settings['netns'], namespaces)}")
    if settings.get("root") is not None:
        root = _directory(id, settings["root"])
    if not {"netns", "root", "pid"} & settings.keys():
        raise CommandExecutionError(
            f"container_ns {id} has none of the settings netns, root and pid,"
            " and no network namespace has its name"
        )
    return NamespaceEntry(tuple(options), root, pid)


def begun_at(pid: int) -> str:
    """Return the start time of a process (ticks since boot), which reveals that a pid was reused."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            # The program's name, in parentheses, may contain spaces and parentheses.
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError) as exc:
        raise CommandExecutionError(f"there is no process {pid} on the managing minion") from exc


def _pid(id: str, value: Any) -> int:
    text = str(value)
    if not text.isdigit() or int(text) == 0:
        raise CommandExecutionError(f"container_ns {id}: pid is {value!r}, not the number of a process")
    begun_at(int(text))
    return int(text)


def _network(id: str, name: Any, namespaces: str) -> str:
    text = str(name)
    path = os.path.join(namespaces, text)
    if "/" in text or text in ("", ".", "..") or not os.path.exists(path):
        raise CommandExecutionError(
            f"container_ns {id}: there is no network namespace {text!r} (`ip netns list` names them)"
        )
    return path


def _directory(id: str, path: Any) -> str:
    text = os.path.normpath(str(path))
    if not os.path.isabs(text) or text == "/" or not os.path.isdir(text):
        raise CommandExecutionError(
            f"container_ns {id}: root is {path!r}, which is not the absolute path of a directory other than /"
        )
    return text


def _of_process(pid: int) -> tuple[list[str], str]:
    """Return the namespaces of a process that are not ours, as options, and its root, '' if it is ours."""
    try:
        differing = {kind for kind in _KINDS if _id(pid, kind) != _id("self", kind)}
        is_own_root = "mnt" not in differing and os.path.samefile(f"/proc/{pid}/root", "/")
    except OSError as exc:
        raise CommandExecutionError(f"the namespaces of process {pid} cannot be read: {exc}") from exc
    options = [f"--{_KINDS[kind]}=/proc/{pid}/ns/{kind}" for kind in _KINDS if kind in differing]
    return options, "" if is_own_root else f"/proc/{pid}/root"


def _id(pid: int | str, kind: str) -> str:
    return os.readlink(f"/proc/{pid}/ns/{kind}")
