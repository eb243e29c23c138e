"""Installed packages, read once per run from dpkg's own list.

This is a hot path: a state with 200 packages reads the list once, without starting a process.

Source: dpkg(1), `/var/lib/dpkg/status` and the journal next to it in `updates/`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from salt_g.api import call, grains
from salt_g.modules._booleans import is_true
from salt_g.modules._packages import cached_packages, shown_versions

#: dpkg's directory; holds `status` and `updates/`.
ADMIN_DIRECTORY = "/var/lib/dpkg"

_FIELD = re.compile(r"^(Package|Status|Architecture|Version): *(.*)$", re.M)

#: {"installed" | "removed" | "purge_desired": {name: [version, ...]}}
PackageLists = dict[str, dict[str, list[str]]]


def list_pkgs(
    versions_as_list: bool = False, removed: bool = False, purge_desired: bool = False, **kwargs: Any
) -> dict[str, Any]:
    """Return {name: version} of the installed packages.

    `removed` lists packages that were removed but not purged, `purge_desired` installed ones marked for
    purging; `versions_as_list` returns a list of versions for each. `use_context=False` bypasses the cache.

    Example::

        salt-g pkg.list_pkgs
    """
    lists: PackageLists = cached_packages(_read_lists, fresh=not kwargs.get("use_context", True))
    if is_true(removed):
        found = lists["removed"]
    else:
        found = {**lists["purge_desired"], **({} if is_true(purge_desired) else lists["installed"])}
    return shown_versions(found, versions_as_list)


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, or '' if it is not installed; a mapping for several.

    Example::

        salt-g pkg.version bash
    """
    return call("pkg_resource.version", *names, **kwargs)


def _read_lists() -> PackageLists:
    lists: PackageLists = {"installed": {}, "removed": {}, "purge_desired": {}}
    for stanza in _stanzas().values():
        kind = _kind(stanza.get("Status", ""))
        if kind and stanza.get("Version"):
            lists[kind].setdefault(_shown_name(stanza), []).append(stanza["Version"])
    return {
        kind: {name: sorted(set(packages[name])) for name in sorted(packages)}
        for kind, packages in lists.items()
    }


def _stanzas() -> dict[tuple[str, str], dict[str, str]]:
    """Return the stanzas by name and architecture; a later one (of the journal) replaces an earlier."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for path in _database_files():
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        for part in text.split("\n\n"):
            fields = dict(_FIELD.findall(part))
            if "Package" in fields:
                found[fields["Package"], fields.get("Architecture", "")] = fields
    return found


def _database_files() -> Iterator[str]:
    status = os.path.join(ADMIN_DIRECTORY, "status")
    if os.path.exists(status):
        yield status
    journal = os.path.join(ADMIN_DIRECTORY, "updates")
    if os.path.isdir(journal):
        yield from (os.path.join(journal, name) for name in sorted(os.listdir(journal)) if name.isdigit())


def _kind(status: str) -> str:
    """Return the list to which a package of this status belongs, or '' for none.

    `deinstall ok installed` is still installed: the selection has not been applied yet.
    """
    want, _, state = (status.split() + ["", "", ""])[:3]
    if ("install" in want or want == "hold") and "installed" in state:
        return "installed"
    if want == "deinstall":
        return "removed"
    return "purge_desired" if want == "purge" and state == "installed" else ""


def _shown_name(stanza: dict[str, str]) -> str:
    """Return the name, with the architecture if that is foreign, which is recognized on amd64 only."""
    name, arch = stanza["Package"], stanza.get("Architecture", "")
    is_foreign = arch not in ("", "all", "amd64") and grains.get("osarch") == "amd64"
    return f"{name}:{arch}" if is_foreign and grains.get("cpuarch") == "x86_64" else name
