"""What an installation has made: paths, kinds and digests, in one file on the host.

Why its own file: the one reason why something may be replaced or removed later.
Errors: CommandExecutionError for a file that is no manifest.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError
from salt_g.install.host import Host

PATH = "/var/lib/salt-g/installed.json"
FILE, LINK, TREE, DIRECTORY = "file", "link", "tree", "directory"


class ManifestEntry(NamedTuple):
    """One thing: its kind, its digest when it was made ("" for directories), and the roles that need it."""

    kind: str
    digest: str
    roles: tuple[str, ...]


Manifest = dict[str, ManifestEntry]


def read(host: Host) -> Manifest:
    """Return what was made on a host, {} on one without an installation."""
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
            f"{where} is no list of what was installed ({exc}); move it away, and remove by hand what is left"
        ) from exc


def text(made: Manifest) -> bytes:
    """Return the content of the file."""
    found = {path: one._asdict() for path, one in sorted(made.items())}
    return (json.dumps({"made": found}, indent=1) + "\n").encode()
