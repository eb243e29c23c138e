"""Choose and open the link to the master on this machine, and say who asks.

Why its own file: every client begins here; the two links are imported when they are needed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.client.link import Link
from salt_g.client.unix_link import UnixLink, is_served
from salt_g.errors import MasterUnreachable

#: Longest key file (bytes).
_MAX_KEY = 4096


def open_link(opts: Mapping[str, Any]) -> Link:
    """Return the link to the master with these settings: our own, else a stock one.

    Raises MasterUnreachable when neither serves its sockets in `sock_dir`.
    """
    sock_dir = opts["sock_dir"]
    if is_served(sock_dir):
        return UnixLink(sock_dir)
    if opts.get("ipc_mode") != "tcp" and not os.path.exists(os.path.join(sock_dir, "master_event_pub.ipc")):
        raise MasterUnreachable(
            "The salt master could not be contacted. Is master running?"
            f" (no socket of a master in {sock_dir})"
        )
    from salt_g.client.stock_link import StockLink

    return StockLink(opts, key=read_key(opts))


def user_name() -> str:
    """Return who runs this program; root by sudo is `sudo_<name>`, as in stock."""
    import pwd

    try:
        name = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        name = str(os.geteuid())
    by_sudo = os.environ.get("SUDO_USER")
    return f"sudo_{by_sudo}" if name == "root" and by_sudo else name


def read_key(opts: Mapping[str, Any]) -> str:
    """Return the key that the master keeps for this user, '' when we may not read it (eauth is left)."""
    name = user_name()
    if name == "root" or name.startswith("sudo_"):
        name = opts.get("user") or "root"
    try:
        with open(os.path.join(opts["cachedir"], f".{name}_key"), encoding="utf-8") as file:
            return file.read(_MAX_KEY)
    except OSError:
        return ""
