"""Namespaces and roots on the managing host: a network namespace, a chroot, or those of a process.

Needs root and `nsenter` (Debian: util-linux). Settings of a resource, alone or together:

- `netns`: the name of a network namespace (`ip netns add NAME`),
- `root`: an absolute directory, the root of the programs that run there,
- `pid`: the number of a process; its root and those of its namespaces that are not the minion's are entered.
  Programs there have no more privileges than that process: its bounding set, no-new-privs, seccomp filters,
  user namespace, label (AppArmor, SELinux) and control group apply. If they cannot be applied, nothing runs,
  and the error gives the reason.

Pillar::

    resources:
      container_ns:
        discover: true               # also every network namespace of this host, under its name
        hosts:
          edge: {netns: edge}
          image: {root: /srv/image, netns: edge}
          app: {pid: 4711}

Links are resolved inside the root. A user who can change links there while a file is written could redirect
the write, so use `root` only for trees that you trust.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from salt_g.api import opts, pillar, resource, scratch
from salt_g.errors import CommandExecutionError
from salt_g.resource_model.pillar_settings import declared, listed_ids, settings_of
from salt_g.resources.container_ns.accounts import Account, account
from salt_g.resources.container_ns.inner_paths import within
from salt_g.resources.container_ns.nsenter import NamespaceEntry, begun_at, read_entry
from salt_g.shapes import GrainsDict

#: Modules taken from the minion: `pillar` reads the pillar of the running call, which is the resource's.
__fall_through__ = ("pillar",)

#: Directory of the named network namespaces of `ip netns`.
NAMED = "/run/netns"


def __virtual__() -> bool | tuple[bool, str]:
    """Require the program `nsenter`, and a minion that runs as root."""
    from salt_g.process.command import which

    if which("nsenter") is None:
        return False, "container_ns needs the program nsenter (Debian: util-linux)"
    return True if os.geteuid() == 0 else (False, "container_ns needs a minion that runs as root")


def discover(opts: Mapping[str, Any]) -> list[Any]:
    """Return the ids listed in pillar and, with `discover`, the names of network namespaces."""
    below = declared(opts["pillar"], opts).get("container_ns")
    found = _named_namespaces() if isinstance(below, Mapping) and below.get("discover") is True else []
    return list(dict.fromkeys([*listed_ids(below), *found]))


def init(opts: Mapping[str, Any]) -> None:
    """Initialize the type with no known processes and no errors."""
    scratch["processes"] = {}
    scratch["trouble"] = {}


def initialized() -> bool:
    """Return whether `init` was called."""
    return "processes" in scratch


def ping() -> bool:
    """Return whether the resource can be entered; store the reason if it cannot."""
    try:
        _entry()
    except CommandExecutionError as exc:
        scratch["trouble"][resource["id"]] = str(exc)
        return False
    scratch["trouble"].pop(resource["id"], None)
    return True


def grains() -> GrainsDict:
    """Return the settings `netns`, `root` and `pid`, and the operating system of the root."""
    # A refresh accepts the process that has the pid now, even if it is not the earlier one.
    scratch["processes"].pop(resource["id"], None)
    entry = _entry()
    found: dict[str, Any] = {
        "resource_type": "container_ns",
        "resource_id": resource["id"],
        "kernel": "Linux",
    }
    found.update({name: value for name, value in _settings().items() if name in ("netns", "root", "pid")})
    found.update(_system(entry.root))
    return found


def words(argv: Sequence[str], cwd: str = "/", who: Account | None = None) -> list[str]:
    """Return the command line that runs a program in the resource; `cwd` is a path of the resource."""
    entry = _entry()
    return entry.words(argv, cwd=within(entry.root, cwd) if entry.root else cwd, who=who)


def network_words(argv: Sequence[str]) -> list[str]:
    """Return the command line that runs a program of the host in the resource's network namespace."""
    return _entry().network_words(argv)


def named_account(user: str | None, group: str | None) -> Account:
    """Return the ids of a user and group of the resource; raises CommandExecutionError for unknown names."""
    return account(_entry().root or "/", user, group)


def root() -> str:
    """Return the path of the root on the host; raises CommandExecutionError if it is the host's root."""
    found = _entry().root
    if not found:
        raise CommandExecutionError(
            f"container_ns {resource['id']} shares the managing minion's root, so its files are the minion's"
        )
    return found


def undo_root() -> str:
    """Return the root whose changes are recorded for undo.

    Raises CommandExecutionError for the namespaces of a process, and if the root is the host's.
    """
    if "pid" in _settings():
        raise CommandExecutionError("changes to files in the namespaces of a process cannot be recorded")
    return root()


def place(path: str, *, follow: bool = True) -> str:
    """Return the path on the host for a path of the resource; `follow` also resolves a final link."""
    if not os.path.isabs(path):
        raise CommandExecutionError(f"the path {path!r} is not absolute")
    return within(root(), path, follow=follow)


def _named_namespaces() -> list[str]:
    try:
        return sorted(os.listdir(NAMED))
    except FileNotFoundError:
        return []


def _settings() -> Mapping[str, Any]:
    below = declared(pillar, opts).get("container_ns")
    found = settings_of(below, resource["id"])
    return found or ({"netns": resource["id"]} if resource["id"] in _named_namespaces() else {})


def _entry() -> NamespaceEntry:
    entry = read_entry(resource["id"], _settings(), namespaces=NAMED)
    if entry.pid is not None:
        begun = begun_at(entry.pid)
        if scratch["processes"].setdefault(resource["id"], begun) != begun:
            raise CommandExecutionError(
                f"container_ns {resource['id']}: process {entry.pid} has ended and its pid was reused;"
                " correct pid in pillar, or refresh the resources to accept the new process"
            )
    return entry


def _system(root: str) -> dict[str, str]:
    """Return the grains `os`, `osrelease` etc. from `os-release` below a root."""
    path = within(root or "/", "/etc/os-release")
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.strip().partition("=") for line in file if "=" in line]
    except OSError:
        return {}
    returned = {name: value.strip("\"'") for name, _, value in lines}
    wanted = {"os": "ID", "osfullname": "NAME", "osrelease": "VERSION_ID", "oscodename": "VERSION_CODENAME"}
    found = {grain: returned[name] for grain, name in wanted.items() if name in returned}
    if "os" in found:
        found["os"] = found["os"].capitalize()
    return found
