"""Roster of the addresses in a network that have an open SSH port.

The target is an address or a network (192.0.2.0/28), whatever the target type. Settings: `ssh_scan_ports`,
`ssh_scan_timeout`.
Bounds: at most `_MOST` addresses per network, `_AT_ONCE` connections at once.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from salt_g.api import opts
from salt_g.errors import RosterError
from salt_g.rosters._selection import Hosts, completed

log = logging.getLogger(__name__)

_MOST = 1 << 16
_AT_ONCE = 100
_LAST_PORT = 65535


def targets(tgt: Any, tgt_type: str = "glob", **kwargs: Any) -> Hosts:
    """Return the addresses of a network that have an open port, with the first such port.

    Example::

        salt-g ssh --roster=scan 192.0.2.0/28 test.ping
    """
    words = [str(one) for one in tgt] if isinstance(tgt, (list, tuple)) else [str(tgt)]
    addresses = list(_addresses(words))
    ports = list(ports_in(str(opts["ssh_scan_ports"])))
    timeout = float(opts["ssh_scan_timeout"])
    with ThreadPoolExecutor(max_workers=_AT_ONCE) as pool:
        found = list(pool.map(lambda address: open_port(address, ports, timeout), addresses))
    return completed(
        {
            address: {"host": address, "port": port}
            for address, port in zip(addresses, found, strict=True)
            if port is not None
        }
    )


def _addresses(words: Sequence[str]) -> Iterator[str]:
    """Yield the addresses of all words; an unusable word is logged and left out unless it is the only one."""
    for word in words:
        try:
            yield from addresses_in(word)
        except RosterError as exc:
            if len(words) == 1:
                raise
            log.error("%s is left out: %s", word, exc)


def addresses_in(word: str) -> list[str]:
    """Return the addresses of an address or network; raise RosterError if it is invalid or too large."""
    try:
        network = ipaddress.ip_network(word, strict=False)
    except ValueError as exc:
        raise RosterError(f"the roster scan needs an address or a network as the target: {exc}") from exc
    if network.num_addresses > _MOST:
        raise RosterError(f"the network {word} has more than {_MOST} addresses; scan a smaller one")
    return [str(address) for address in network.hosts()]


def ports_in(text: str) -> Iterator[int]:
    """Yield the ports in a comma-separated list; raise RosterError for an invalid port."""
    for word in [word for word in text.split(",") if word.strip()] or [text]:
        port = int(word) if word.strip().isdecimal() else 0
        if not 0 < port <= _LAST_PORT:
            raise RosterError(
                f"--scan-ports (ssh_scan_ports) is a comma-separated list of ports; {word!r} is not a port"
            )
        yield port


def open_port(address: str, ports: Sequence[int], timeout: float) -> int | None:
    """Return the first open port of an address, or None if there is none."""
    for port in ports:
        try:
            with socket.create_connection((address, port), timeout=timeout):
                return port
        except OSError:
            continue
    return None
