"""Check of the Host header of requests, against DNS rebinding by web pages."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable


def is_own_host(host: str, names: Iterable[str]) -> bool:
    """Return whether a Host header is an address or one of `names`; an empty header (HTTP/1.0) passes."""
    name = host.strip().lower()
    if not name:
        return True
    name = name.partition("]")[0][1:] if name.startswith("[") else name.rpartition(":")[0] or name
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
