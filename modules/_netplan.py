"""Detection of netplan as the network configuration of this machine."""

from __future__ import annotations

import os

from salt_g.modules._programs import is_installed

_DIRECTORY = "/etc/netplan"


def is_active() -> bool:
    """Return whether the program `netplan` and its directory exist."""
    return is_installed("netplan") and os.path.isdir(_DIRECTORY)
