"""Record of what the state runs of a machine without a master read: one file for each call.

Shapes: a file is JSON of {call, at, names}, see `state_calls.py` and `reads.py`. The newest 16 are kept.
Units: seconds since the epoch.
Errors: OSError.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

from salt_g.process.disk import make_private_directory, write_whole
from salt_g.report.reads import ReadNames

#: Files kept.
MOST = 16


def keep(cachedir: str, call: str, at: float, names: ReadNames) -> None:
    """Keep what a run read, in place of the last one of the same call."""
    folder = _folder(cachedir)
    make_private_directory(folder)
    name = hashlib.blake2b(call.encode(), digest_size=8).hexdigest()
    text = json.dumps({"call": call, "at": at, "names": names}, sort_keys=True)
    write_whole(os.path.join(folder, f"{name}.json"), text.encode())
    for path in _paths(folder)[MOST:]:
        os.unlink(path)


def kept(cachedir: str) -> list[dict[str, Any]]:
    """Return the runs that are kept, newest first; damaged files are left out."""
    found = []
    for path in _paths(_folder(cachedir)):
        try:
            with open(path, encoding="utf-8") as file:
                run = json.load(file)
        except (OSError, ValueError):
            continue
        if isinstance(run, dict) and isinstance(run.get("names"), dict):
            found.append(run)
    return found


def _folder(cachedir: str) -> str:
    return os.path.join(cachedir, "read_sets")


def _paths(folder: str) -> list[str]:
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except FileNotFoundError:
        return []
    paths = [os.path.join(folder, name) for name in names]
    return sorted(paths, key=lambda path: os.stat(path).st_mtime_ns, reverse=True)
