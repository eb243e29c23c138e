"""Paths of NetworkManager's keyfiles, and reading and writing them."""

from __future__ import annotations

import os

from salt_g.modules._network_settings import file_name, text_of, write
from salt_g.modules.nm_ip._keyfile import Keyfile, lines

#: Directory of the keyfiles.
CONNECTIONS = "/etc/NetworkManager/system-connections"
#: NetworkManager ignores keyfiles that others can read.
_MODE = 0o600


def path_of(iface: str) -> str:
    """Return the path of an interface's keyfile."""
    return os.path.join(CONNECTIONS, f"{file_name(iface)}.nmconnection")


def read(iface: str) -> str:
    """Return the text of an interface's keyfile, or '' if there is none."""
    return text_of(path_of(iface))


def save(iface: str, keyfile: Keyfile) -> None:
    """Write the keyfile of an interface."""
    write(path_of(iface), "".join(lines(keyfile)), _MODE)
