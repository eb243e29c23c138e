"""Grains of the minion's identity: its id, its master, the machine's id."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.grains._sources import text

__virtualname__ = "core"

#: Files of the machine's id: systemd's, then D-Bus's.
MACHINE_ID = ("/etc/machine-id", "/var/lib/dbus/machine-id")


def minion() -> dict[str, Any]:
    """Return `id`, `master` and, if set, `append_domain`."""
    found = {"id": opts.get("id", ""), "master": opts.get("master", "")}
    if "append_domain" in opts:
        found["append_domain"] = opts["append_domain"]
    return found


def server_id() -> dict[str, int]:
    """Return a number below 2**31 derived from the id, usable as MySQL's server id."""
    import hashlib

    digest = hashlib.sha256(str(opts.get("id", "")).encode()).digest()
    return {"server_id": int.from_bytes(digest, "big") % 2**31}


def machine_id(root: str = "/") -> dict[str, str]:
    """Return the machine id of this installation."""
    for path in MACHINE_ID:
        content = text(path, root)
        if content is not None:
            return {"machine_id": content.strip()}
    return {}


def salt_resources() -> dict[str, Any]:
    """Return the ids of the resources that this minion manages, by type."""
    managed = opts.get("resources") or {}
    return {"salt_resources": managed} if managed else {}


def grain_opts() -> dict[str, Any]:
    """Return all settings as the grain `opts` if the setting `grain_opts` is on."""
    return {"opts": opts.copy()} if opts.get("grain_opts") else {}
