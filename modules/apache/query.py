"""Version, modules, directives and virtual hosts of Apache, as the server reports them."""

from __future__ import annotations

import re
from typing import Any

from salt_g.modules._programs import output
from salt_g.modules.apache._program import control, lines


def version() -> str:
    """Return the version of the server (`Apache/2.4.57 (Debian)`).

    Example::

        salt-g apache.version
    """
    shown = next((line for line in lines("-v") if ": " in line), "")
    return shown.partition(": ")[2]


def fullversion() -> dict[str, Any]:
    """Return the build settings of the server: {name: text}, and the list `compiled_with`.

    Example::

        salt-g apache.fullversion
    """
    found: dict[str, Any] = {"compiled_with": []}
    for line in lines("-V"):
        name, between, value = line.partition(": ")
        if between:
            found[name.strip().lower().replace(" ", "_")] = value.split(": ")[0].strip()
        elif " -D" in line:
            found["compiled_with"].append(re.sub(r"^\s+-D\s+", "", line))
    return found


def modules() -> dict[str, list[str]]:
    """Return the names of the modules in use: {"static": [...], "shared": [...]}.

    Example::

        salt-g apache.modules
    """
    listed = lines("-M")
    return {
        kind: [line.split()[0] for line in listed if f"({kind})" in line] for kind in ("static", "shared")
    }


def servermods() -> list[str]:
    """Return the source file names of the modules compiled into the server (`core.c`).

    Example::

        salt-g apache.servermods
    """
    return [line.strip() for line in lines("-l") if ".c" in line]


def directives() -> dict[str, str]:
    """Return {directive (source file): description and allowed contexts} of the supported directives.

    Example::

        salt-g apache.directives
    """
    text = output([control(), "-L"]).replace("\n\t", "\t")
    rows = (line.split("\t") for line in text.splitlines() if line)
    return {name: "\n".join(rest) for name, *rest in rows}


def vhosts() -> dict[str, Any]:
    """Return {address: {name: {"vhost", "conf", "port"}}} of virtual hosts that share an address.

    `default`, without `port`, is the host that serves unknown names.

    Example::

        salt-g apache.vhosts
    """
    found: dict[str, Any] = {}
    hosts: dict[str, Any] = {}
    for words in (line.split() for line in lines("-S")):
        if "NameVirtualHost" in words:
            hosts = found.setdefault(words[0], {})
        elif words[0] == "default":
            hosts["default"] = {"vhost": words[2], "conf": _bare(words[3])}
        elif words[0] == "port":
            hosts[words[3]] = {"vhost": words[3], "conf": _bare(words[4]), "port": words[1]}
    return found


def _bare(place: str) -> str:
    return place.strip("()")
