"""What is installed: one read of dpkg's own list for a whole run.

Why its own file: it is the hot path. A state with 200 packages asks once, and asking costs
no process.
Source: dpkg(1), `/var/lib/dpkg/status` and the journal beside it in `updates/`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from salt_g.api import call, grains
from salt_g.modules._booleans import is_true
from salt_g.modules._packages import remembered, shown_versions

#: dpkg's directory; holds `status` and `updates/`.
ADMIN_DIRECTORY = "/var/lib/dpkg"

_FIELD = re.compile(r"^(Package|Status|Architecture|Version): *(.*)$", re.M)

#: {"installed" | "removed" | "purge_desired": {name: [version, ...]}}
PackageLists = dict[str, dict[str, list[str]]]


def list_pkgs(
    versions_as_list: bool = False, removed: bool = False, purge_desired: bool = False, **kwargs: Any
) -> dict[str, Any]:
    """Return {name: version} of the installed packages.

    `removed` gives those that were removed but not purged, `purge_desired` those that are
    installed and marked to be purged, `versions_as_list` a list in place of each version.
    `use_context=False` reads anew.

    Example::

        salt-g pkg.list_pkgs
    """
    lists: PackageLists = remembered(_read_lists, fresh=not kwargs.get("use_context", True))
    if is_true(removed):
        found = lists["removed"]
    else:
        found = {**lists["purge_desired"], **({} if is_true(purge_desired) else lists["installed"])}
    return shown_versions(found, versions_as_list)


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, '' when it is not installed; a mapping for several.

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
    """Return in which list a package of this status belongs, '' for none.

    `deinstall ok installed` is still installed: what is wanted has not happened yet.
    """
    want, _, state = (status.split() + ["", "", ""])[:3]
    if ("install" in want or want == "hold") and "installed" in state:
        return "installed"
    if want == "deinstall":
        return "removed"
    return "purge_desired" if want == "purge" and state == "installed" else ""


def _shown_name(stanza: dict[str, str]) -> str:
    """Return the name, with its architecture when that is not this machine's own."""
    name, arch = stanza["Package"], stanza.get("Architecture", "")
    is_foreign = arch not in ("", "all", "amd64") and grains.get("osarch") == "amd64"
    return f"{name}:{arch}" if is_foreign and grains.get("cpuarch") == "x86_64" else name
