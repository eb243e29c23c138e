"""Ring buffers of network cards, read and set with ethtool."""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import call

#: Settings of `mod_bufsize`.
SIZES = ("rx", "tx", "rx-mini", "rx-jumbo")
_SIZE = re.compile(r"^(.+):\s+(\d+)$")


def get_bufsize(iface: str) -> dict[str, Any]:
    """Return the sizes of an interface's buffers (`rx`) and their maxima (`rx-max`); {} without ethtool.

    Example::

        salt-g network.get_bufsize eth0
    """
    ethtool = call("cmd.which", "ethtool")
    if not ethtool:
        return {}
    return parse_sizes(call("cmd.run", [ethtool, "-g", iface], python_shell=False))


def mod_bufsize(iface: str, *args: Any, **kwargs: Any) -> Any:
    """Set the sizes `rx`, `tx`, `rx-mini` or `rx-jumbo` of an interface's buffers.

    Returns {"result", "comment"}, or False without ethtool.

    Example::

        salt-g network.mod_bufsize eth0 tx=2048 rx=2048
    """
    ethtool = call("cmd.which", "ethtool")
    if not ethtool:
        return False
    if args:
        return {"result": False, "comment": "Unknown arguments: " + " ".join(map(str, args))}
    wanted = [word for name in SIZES if kwargs.get(name) is not None for word in (name, str(kwargs[name]))]
    if not wanted:
        return {
            "result": False,
            "comment": "Requires rx=<val> tx==<val> rx-mini=<val> and/or rx-jumbo=<val>",
        }
    problem = call("cmd.run", [ethtool, "-G", iface, *wanted], python_shell=False)
    return {"result": not problem, "comment": problem or " ".join(wanted)}


def parse_sizes(listing: str) -> dict[str, Any]:
    """Return the sizes in the output of `ethtool -g`, or {'result': False, 'comment'} if there are none."""
    found: dict[str, Any] = {}
    suffix = "-max"
    for line in listing.splitlines():
        match = _SIZE.match(line)
        if match:
            found[match[1].lower().replace(" ", "-") + suffix] = int(match[2])
        elif line.endswith("settings:"):
            suffix = ""
    return {"result": True, **found} if found else {"result": False, "comment": listing}
