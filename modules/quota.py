"""Disk quotas of users and groups, by the quota tools.

Tested with recorded transcripts.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import own_arguments
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._programs import output, run
from salt_g.modules._required import hint
from salt_g.process.command import which

__func_alias__ = {"set_": "set"}

_KINDS = {"user": ("-u", "Users"), "group": ("-g", "Groups")}
_COLUMNS = (
    *("block-used", "block-soft-limit", "block-hard-limit", "block-grace"),
    *("file-used", "file-soft-limit", "file-hard-limit", "file-grace"),
)
_LIMITS = ("block-soft-limit", "block-hard-limit", "file-soft-limit", "file-hard-limit")


def __virtual__() -> bool | tuple[bool, str]:
    if which("setquota"):
        return True
    return (
        False,
        "The quota execution module cannot be loaded: the module is only available on POSIX-like "
        "systems with the setquota binary available." + hint("setquota"),
    )


def report(mount: str) -> dict[str, Any]:
    """Return limits and usage of users and groups on a file system.

    Example::

        salt-g quota.report /media/data
    """
    return {mount: {"User Quotas": _quotas(mount, "user"), "Group Quotas": _quotas(mount, "group")}}


def set_(device: str, **kwargs: Any) -> dict[str, Any]:
    """Set the limits of a `user` or a `group`; return {"User: larry": its limits and usage}.

    The limits are `block-soft-limit`, `block-hard-limit` (KiB), `file-soft-limit` and `file-hard-limit`;
    limits that are not given stay unchanged.

    Example::

        salt-g quota.set /media/data user=larry block-soft-limit=1048576
    """
    given = own_arguments(kwargs)
    kinds = [kind for kind in _KINDS if kind in given]
    if len(kinds) > 1:
        raise InvocationError("Please specify a user or group, not both.")
    if not kinds:
        raise CommandExecutionError("A valid user or group was not found")
    kind, who = kinds[0], str(given[kinds[0]])
    flag, plural = _KINDS[kind]
    known = _quotas(device, kind)[plural].get(who, dict.fromkeys(_LIMITS, 0))
    limits = {**known, **{name: given[name] for name in _LIMITS if name in given}}
    finished = run(["setquota", flag, who, *(str(limits[name]) for name in _LIMITS), device])
    if finished["retcode"]:
        raise CommandExecutionError(f"Unable to set desired quota. Error follows: \n{finished['stderr']}")
    return {f"{kind.capitalize()}: {who}": limits}


def warn() -> None:
    """Mail the users above their limits.

    Example::

        salt-g quota.warn
    """
    run(["warnquota"])


def stats() -> dict[str, str]:
    """Return the kernel's quota statistics.

    Example::

        salt-g quota.stats
    """
    rows = (line.partition(": ") for line in output(["quotastats"]).splitlines())
    return {name: value for name, between, value in rows if between}


def on(device: str) -> bool:
    """Enforce the limits of a file system; return True.

    Example::

        salt-g quota.on /media/data
    """
    return _set_enforcement("quotaon", device)


def off(device: str) -> bool:
    """Stop enforcing the limits of a file system; return True.

    Example::

        salt-g quota.off /media/data
    """
    return _set_enforcement("quotaoff", device)


def get_mode(device: str) -> dict[str, Any]:
    """Return {mount point: {"device", "user": "on" or "off", "group": ...}}.

    The value is "disabled" for a file system without quotas. If `device` is no file system, the result is
    {device: "Not found"}.

    Example::

        salt-g quota.get_mode /media/data
    """
    printed = output(["quotaon", "-p", device], redirect_stderr=True)
    found: dict[str, Any] = {}
    for line in printed.splitlines():
        words = line.split()
        if line.startswith("quotaon: Cannot"):
            return {device: "Not found"}
        if line.startswith("quotaon: Mountpoint"):
            found[_path_in(words)] = "disabled"
        elif len(words) > 6 and words[1:3] == ["quota", "on"]:
            found.setdefault(words[3], {"device": words[4].strip("()")})[words[0]] = words[6]
    return found


def _path_in(words: list[str]) -> str:
    return next((word for word in words if word.startswith("/")), words[4] if len(words) > 4 else "")


def _set_enforcement(program: str, device: str) -> bool:
    finished = run([program, device])
    if finished["retcode"]:
        raise CommandExecutionError(f"{program} {device}: {finished['stderr'] or finished['stdout']}")
    return True


def _quotas(mount: str, kind: str) -> dict[str, Any]:
    """Parse the report of repquota(8): grace times, a line of dashes, then one line per user or group."""
    flag, plural = _KINDS[kind]
    found: dict[str, Any] = {plural: {}}
    head, _, body = output(["repquota", "-vp", flag, mount]).partition("\n---")
    grace = re.search(r"Block grace time: (.*); Inode grace time: (.*)", head)
    if grace:
        found |= {"Block Grace Time": [grace.group(1)], "Inode Grace Time": [grace.group(2)]}
    for words in (line.split() for line in body.splitlines()):
        if len(words) >= 2 + len(_COLUMNS):
            found[plural][words[0]] = dict(zip(_COLUMNS, words[2:], strict=False))
    return found
