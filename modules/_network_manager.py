"""Detection of NetworkManager in place of the network scripts of the Red Hat family."""

from __future__ import annotations

import os

from salt_g.modules._programs import is_installed

#: Directory that exists while NetworkManager runs.
_RUNNING = "/run/NetworkManager"


def is_in_charge() -> bool:
    """Return whether NetworkManager runs and `nmcli` is installed, but neither `ifup` nor `ifdown`."""
    return (
        is_installed("nmcli")
        and os.path.isdir(_RUNNING)
        and not is_installed("ifup")
        and not is_installed("ifdown")
    )
