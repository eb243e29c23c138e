"""Apache's control program, whose name differs between systems."""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules._programs import output
from salt_g.process.command import which

#: OS families that call it apache2ctl.
_APACHE2 = ("Debian", "Suse")


def control() -> str:
    """Return the name of the program."""
    return "apache2ctl" if grains.get("os_family") in _APACHE2 else "apachectl"


def is_installed() -> bool:
    """Return whether the program is installed."""
    return which(control()) is not None


def lines(flag: str) -> list[str]:
    """Return the program's output for a flag, without empty lines."""
    return [line for line in output([control(), flag], redirect_stderr=True).splitlines() if line.strip()]
