"""Selection of the connection to the master on this machine, and identity of the caller.

Only the connection to a stock master is imported on demand.
"""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

from salt_g.client.frames import SOCKET
from salt_g.client.link import Link
from salt_g.client.unix_link import link_if_served
from salt_g.errors import MasterUnreachable

if TYPE_CHECKING:
    from salt_g.shapes import Opts

#: Maximum size of a key file (bytes).
_MAX_KEY = 4096
#: Time for connecting to a socket of this machine (s).
_CONNECT_TIMEOUT = 5.0


def open_link(opts: Opts) -> Link:
    """Return a connection to the master with these settings: to salt-g's if it runs, otherwise to stock's.

    Raise MasterUnreachable if neither serves its sockets in `sock_dir`.
    """
    sock_dir = opts["sock_dir"]
    link = link_if_served(sock_dir)
    if link is not None:
        return link
    if not _has_stock_master(opts):
        raise MasterUnreachable(
            "The salt master could not be contacted. Is master running?"
            f" (no master serves a socket in {sock_dir})"
        )
    from salt_g.client.stock_link import StockLink

    return StockLink(opts, key=read_key(opts))


def _has_stock_master(opts: Opts) -> bool:
    """Return whether a stock master may be serving here; a killed salt-g master leaves sockets of both."""
    if opts.get("ipc_mode") == "tcp":
        # With TCP, the event bus has a port. If a socket of salt-g is left in the directory, the master was a
        # salt-g master.
        return not os.path.lexists(os.path.join(opts["sock_dir"], SOCKET))
    with socket.socket(socket.AF_UNIX) as events:
        events.settimeout(_CONNECT_TIMEOUT)
        try:
            events.connect(os.path.join(opts["sock_dir"], "master_event_pub.ipc"))
        except PermissionError:
            # The attempt to connect will report the error.
            return True
        except OSError:
            return False
    return True


def user_name() -> str:
    """Return the user who runs this program; root through sudo is `sudo_<name>`, as in stock."""
    import pwd

    try:
        name = pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        name = str(os.geteuid())
    by_sudo = os.environ.get("SUDO_USER")
    return f"sudo_{by_sudo}" if name == "root" and by_sudo else name


def read_key(opts: Opts) -> str:
    """Return the key that the master stores for this user, or '' if unreadable (eauth still works)."""
    name = user_name()
    if name == "root" or name.startswith("sudo_"):
        name = opts.get("user") or "root"
    try:
        with open(os.path.join(opts["cachedir"], f".{name}_key"), encoding="utf-8") as file:
            return file.read(_MAX_KEY)
    except OSError:
        return ""
