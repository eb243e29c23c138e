"""Grains of the name resolution, read from resolv.conf."""

from __future__ import annotations

import os
from typing import Any

from salt_g.grains._sources import below
from salt_g.net.resolver import parse_resolv

__virtualname__ = "core"

#: File with the real servers of systemd-resolved; /etc/resolv.conf names only its stub.
RESOLVED = "/run/systemd/resolve/resolv.conf"


def dns(root: str = "/") -> dict[str, Any]:
    """Return `dns`: nameservers by family, sortlist, domain, search and options."""
    resolved = below(root, RESOLVED)
    path = resolved if os.path.exists(resolved) else below(root, "/etc/resolv.conf")
    found = parse_resolv(path)
    return {"dns": found} if found else {}
