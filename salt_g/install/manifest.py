"""Manifest of an installation: installed paths, kinds and digests, in one file on the host.

Only files listed here may later be replaced or removed.
Errors: CommandExecutionError for a malformed manifest.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError
from salt_g.install.host import Host

PATH = "/var/lib/salt-g/installed.json"
#: Description of the manifest, shown instead of its content, which is mostly digests.
ABOUT = "the list of what is installed"
FILE, LINK, TREE, DIRECTORY = "file", "link", "tree", "directory"


class ManifestEntry(NamedTuple):
    """Installed path: kind, digest when installed ("" for directories), and the roles that need it."""

    kind: str
    digest: str
    roles: tuple[str, ...]


Manifest = dict[str, ManifestEntry]


def read(host: Host) -> Manifest:
    """Return the manifest of a host, or {} if nothing is installed."""
    if not host.exists(PATH):
        return {}
    try:
        found: dict[str, Any] = json.loads(host.read(PATH))["made"]
        return {
            path: ManifestEntry(str(one["kind"]), str(one["digest"]), tuple(one["roles"]))
            for path, one in found.items()
            if path.startswith("/") and ".." not in path.split("/")
        }
    except (ValueError, TypeError, KeyError, AttributeError) as exc:
        where = host.place(PATH)
        raise CommandExecutionError(
            f"{where} is not a valid manifest ({exc}); move it away, and remove the installed files by hand"
        ) from exc


def text(made: Manifest) -> bytes:
    """Return a manifest as the content of its file."""
    found = {path: one._asdict() for path, one in sorted(made.items())}
    return (json.dumps({"made": found}, indent=1) + "\n").encode()
