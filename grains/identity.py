"""Grains of who this minion is: its id, its master, the machine's id."""

from __future__ import annotations

from typing import Any

from salt_g.api import opts
from salt_g.grains._sources import text

__virtualname__ = "core"

#: Where the machine's id stands: systemd's place, then D-Bus'.
MACHINE_ID = ("/etc/machine-id", "/var/lib/dbus/machine-id")


def minion() -> dict[str, Any]:
    """Return `id`, `master` and, where the setting exists, `append_domain`."""
    found = {"id": opts.get("id", ""), "master": opts.get("master", "")}
    if "append_domain" in opts:
        found["append_domain"] = opts["append_domain"]
    return found


def server_id() -> dict[str, int]:
    """Return a number below 2**31 made of the id, as MySQL wants for replication."""
    import hashlib

    digest = hashlib.sha256(str(opts.get("id", "")).encode()).digest()
    return {"server_id": int.from_bytes(digest, "big") % 2**31}


def machine_id(root: str = "/") -> dict[str, str]:
    """Return the id that the installation of this machine was given."""
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
    """Return all settings as the grain `opts` when the setting `grain_opts` asks for it."""
    return {"opts": opts.copy()} if opts.get("grain_opts") else {}
