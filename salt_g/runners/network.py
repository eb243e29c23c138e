"""Wake-on-LAN."""

from __future__ import annotations

import re

from salt_g.api import call, services
from salt_g.errors import CommandExecutionError
from salt_g.services.daemons import MasterServices

_ADDRESS = re.compile(r"[0-9a-f]{12}", re.IGNORECASE)


def wol(mac: str, bcast: str = "255.255.255.255", destport: int = 9) -> bool:
    """Send a magic packet for a hardware address, with `-`, `:` or nothing between its bytes.

    Example::

        salt-g run network.wol 08-00-27-13-69-77 192.0.2.255 7
    """
    return bool(call("network.wol", _digits(mac), bcast, destport))


def wollist(maclist: str, bcast: str = "255.255.255.255", destport: int = 9) -> list[str]:
    """Send a magic packet for each line of a file on the master; return the addresses.

    Empty lines and comments (`#`) are ignored. Nothing is sent when a line is not an address.

    Example::

        salt-g run network.wollist /srv/office.txt bcast=192.0.2.255
    """
    try:
        # Convert the path to text, because `open` would treat a number as a descriptor of the master.
        with open(str(maclist), encoding="utf-8") as file:
            lines = [line.strip() for line in file]
    except (OSError, UnicodeDecodeError) as exc:
        raise CommandExecutionError(f"the list of hardware addresses cannot be read: {exc}") from exc
    addresses = [line for line in lines if line and not line.startswith("#")]
    for address in addresses:
        _digits(address)
    for address in addresses:
        _wake(address, bcast, destport)
    return addresses


def wolmatch(
    tgt: str, tgt_type: str = "glob", bcast: str = "255.255.255.255", destport: int = 9
) -> list[str]:
    """Send magic packets to the minions of a target, by their cached grain `hwaddr_interfaces`.

    Example::

        salt-g run network.wolmatch 'desk*' bcast=192.0.2.255
    """
    woken = []
    for id in services(MasterServices).targets.resolve(tgt, tgt_type, greedy=False).minions:
        data = services(MasterServices).minion_data.get(id)
        for interface, address in ((data[0] if data else {}).get("hwaddr_interfaces") or {}).items():
            if interface != "lo":
                _wake(str(address).strip(), bcast, destport)
                woken.append(str(address).strip())
    return woken


def _wake(address: str, bcast: str, destport: int) -> None:
    services(MasterServices).progress.write(f"Waking up {address}")
    wol(address, bcast, destport)


def _digits(mac: object) -> str:
    """Return the digits of a hardware address."""
    digits = re.sub("[-:]", "", str(mac))
    if not _ADDRESS.fullmatch(digits):
        raise CommandExecutionError(f"{mac!r} is not a hardware address; write it as 08:00:27:13:69:77")
    return digits
