"""Connection of this machine to its master."""

from __future__ import annotations

import socket

from salt_g.api import call, opts
from salt_g.modules._connections import established

#: Time limit for connecting to a master (s).
_PING_TIMEOUT = 5.0


def master(master: str | None = None, connected: bool = True) -> bool | None:
    """Return whether there is a connection to the publish port of a master.

    Fires an event on the minion's bus if the answer differs from `connected`. Returns None if `master` is not
    given or does not resolve.

    Example::

        salt-g status.master salt.example.net
    """
    addresses = _addresses(master) if master else set()
    if not addresses:
        return None
    port = int(opts.get("publish_port", 4505))
    is_connected = any(peer.port == port and peer.address in addresses for _, peer in established())
    if is_connected is not connected:
        tag = "__master_connected" if is_connected else "__master_disconnected"
        call("event.fire", {"master": master}, tag)
    return is_connected


def ping_master(master: str) -> bool:
    """Return whether a master accepts connections on its request port.

    master
        `host` or `host:port`; the port defaults to the setting `master_port`.

    Example::

        salt-g status.ping_master salt.example.net
    """
    if not master:
        return False
    host, _, port = master.partition(":")
    try:
        with socket.create_connection((host, int(port or opts.get("master_port", 4506))), _PING_TIMEOUT):
            return True
    except (OSError, ValueError):
        return False


def _addresses(name: str) -> set[str]:
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except OSError:
        return set()
    return {str(entry[4][0]) for entry in found}
