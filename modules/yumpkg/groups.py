"""Groups of packages: listing, description, comparison with installed packages, installation.

Shapes: a group is {"mandatory" | "optional" | "default" | "conditional": [name, ...]} with
`type`, `group`, `id` and `description`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._booleans import as_list
from salt_g.modules.yumpkg._yum import options_of, program, yum
from salt_g.modules.yumpkg.install import install
from salt_g.modules.yumpkg.query import list_pkgs

_KINDS = ("mandatory", "optional", "default", "conditional")
#: {headline of the program's list: key of the return}
_HEADLINES = {
    "installed groups:": "installed",
    "available groups:": "available",
    "installed environment groups:": "installed environments",
    "available environment groups:": "available environments",
    "available language groups:": "available languages",
}
_MEMBERS = re.compile(rf"({'|'.join(_KINDS)}) (?:groups|packages)\s*:\s*(.*)", re.I)


def group_list() -> dict[str, Any]:
    """Return the names of installed and available groups and environments; with dnf5, ids of groups only.

    The keys are `installed`, `available`, `installed environments`, `available environments` and
    `available languages`, a mapping.

    Example::

        salt-g pkg.group_list
    """
    found: dict[str, Any] = {key: [] for key in _HEADLINES.values()}
    found["available languages"] = {}
    if program() == "dnf5":
        return {**found, **_dnf5_groups()}
    key = ""
    for line in yum(["grouplist", "hidden"], scope=False)["stdout"].splitlines():
        if line.lower() == "done":
            break
        if line.lower() in _HEADLINES:
            key = _HEADLINES[line.lower()]
        elif key == "available languages":
            language = re.match(r"(.+) \[(.+)\]", line.strip())
            if language:
                found[key][line.strip()] = {"name": language.group(1), "language": language.group(2)}
        elif key:
            found[key].append(line.strip())
    return found


def group_info(
    name: str, expand: bool = False, ignore_groups: list[str] | None = None, **kwargs: Any
) -> dict[str, Any]:
    """Return the members of a group by kind, with its `type`, `group`, `id` and `description`.

    expand
        Replace the groups of an environment with their packages.
    ignore_groups
        Groups of the environment to leave out.

    `fromrepo`, `enablerepo` and `disablerepo` are as in `pkg.refresh_db`.

    Example::

        salt-g pkg.group_info 'Perl Support'
    """
    repos: dict[str, Any] = {
        key: kwargs[key] for key in ("fromrepo", "enablerepo", "disablerepo") if key in kwargs
    }
    command = ["group", "info"] if program() == "dnf5" else ["groupinfo"]
    text = yum(["--quiet", *options_of(repos), *command, name], scope=False)["stdout"]
    about = _about(text)
    if not about["group"] and not about["id"]:
        raise CommandExecutionError(f"Group '{name}' not found")
    members: dict[str, set[str]] = {kind: set() for kind in _KINDS}
    done = ignore_groups if ignore_groups is not None else []
    for kind, member in _members(text):
        if not (expand and about["type"] == "environment group"):
            members[kind].add(member)
        elif member not in done:
            done.append(member)
            inner = _expanded(member, done)
            for each in _KINDS:
                members[each].update(inner[each])
    return {**about, **{kind: sorted(members[kind]) for kind in _KINDS}}


def group_diff(name: str, **kwargs: Any) -> dict[str, dict[str, list[str]]]:
    """Return {kind: {"installed": [...], "not installed": [...]}} of the members of a group.

    Example::

        salt-g pkg.group_diff 'Perl Support'
    """
    there = list_pkgs()
    group = group_info(name, expand=True, **kwargs)
    return {
        kind: {
            "installed": [each for each in group[kind] if each in there],
            "not installed": [each for each in group[kind] if each not in there],
        }
        for kind in _KINDS
    }


def group_install(name: Any, skip: Any = (), include: Any = (), **kwargs: Any) -> dict[str, Any]:
    """Install the mandatory and default packages of groups (list or comma-separated text).

    `skip` leaves out default packages, `include` adds other packages; further arguments are those of
    `pkg.install`.

    Example::

        salt-g pkg.group_install 'Group 1' skip=foo,bar
    """
    groups = name.split(",") if isinstance(name, str) else name
    if not groups:
        raise InvocationError("no groups specified")
    if not isinstance(groups, list):
        raise InvocationError("'groups' must be a list")
    skipped = as_list(skip)
    targets: list[str] = []
    for group in map(group_info, groups):
        targets += [*group["mandatory"], *(each for each in group["default"] if each not in skipped)]
    there = list_pkgs()
    missing = [each for each in dict.fromkeys([*targets, *as_list(include)]) if each not in there]
    return install(pkgs=missing, **kwargs) if missing else {}


def groupinstall(name: Any, skip: Any = (), include: Any = (), **kwargs: Any) -> dict[str, Any]:
    """Install the packages of groups, as `pkg.group_install` does.

    Example::

        salt-g pkg.groupinstall 'Group 1'
    """
    return group_install(name, skip, include, **kwargs)


def _dnf5_groups() -> dict[str, list[str]]:
    """Return the ids of installed and available groups; a line has the id, the name, and `yes` or `no`."""
    rows = [line.split() for line in yum(["group", "list", "--hidden"], scope=False)["stdout"].splitlines()]
    groups = [(row[0], row[-1].lower()) for row in rows if len(row) > 2]
    return {
        "installed": [group for group, word in groups if word == "yes"],
        "available": [group for group, word in groups if word == "no"],
    }


def _about(text: str) -> dict[str, Any]:
    pairs = (line.split(":", 1) for line in text.splitlines() if line.count(":") == 1)
    fields = {key.strip().lower(): value.strip() for key, value in pairs}
    kind = "environment group" if "environment group" in fields else "package group"
    return {
        "type": kind,
        "group": fields.get("environment group") or fields.get("group") or fields.get("name"),
        "id": fields.get("environment-id") or fields.get("group-id") or fields.get("id"),
        "description": fields.get("description", ""),
    }


def _members(text: str) -> Iterator[tuple[str, str]]:
    """Yield (kind, member); yum writes members below a headline, dnf5 on the same line and below."""
    kind = ""
    for line in text.splitlines():
        plain = line.strip().lstrip(string.punctuation).strip()
        found = _MEMBERS.fullmatch(plain)
        if found:
            kind, plain = found.group(1).lower(), found.group(2)
        if kind and plain:
            yield kind, plain


def _expanded(group: str, done: list[str]) -> dict[str, Any]:
    """Return a group of an environment, expanded; `@` marks a group named like a package."""
    try:
        return group_info(f"@{group}", expand=True, ignore_groups=done)
    except CommandExecutionError:
        return group_info(group, expand=True, ignore_groups=done)
