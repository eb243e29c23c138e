"""Read-sets of the state runs of a masterless machine, one file for each call.

Shapes: a file is JSON of {call, names}, see `state_calls.py` and `reads.py`; its name has digests of the call
and of what the run read, its modification time is the time of the run. The newest 16 are kept.
Units: seconds since the epoch.
Errors: OSError.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import Any

from salt_g.process.disk import make_private_directory, write_whole
from salt_g.report.recording.reads import ReadNames

#: Maximum number of files kept.
MOST = 16


def renew(cachedir: str, call: str, at: float, state: str) -> bool:
    """Update the time of a stored run that read the same; return False if there is no such run."""
    try:
        os.utime(_path(cachedir, call, state), (at, at))
    except FileNotFoundError:
        return False
    return True


def keep(cachedir: str, call: str, at: float, names: ReadNames, state: str = "") -> None:
    """Store what a run read, replacing the last run of the same call; `state` is a digest of what it read."""
    folder = _folder(cachedir)
    make_private_directory(folder)
    path = _path(cachedir, call, state)
    write_whole(path, json.dumps({"call": call, "names": names}, sort_keys=True))
    os.utime(path, (at, at))
    of_call = _name(call)
    for number, other in enumerate(_paths(folder)):
        if other != path and (number >= MOST or os.path.basename(other).startswith(of_call)):
            # A concurrent call may have removed the file already.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(other)


def kept(cachedir: str) -> list[dict[str, Any]]:
    """Return the stored runs, newest first, without damaged files."""
    found = []
    for path in _paths(_folder(cachedir)):
        try:
            with open(path, encoding="utf-8") as file:
                run = json.load(file)
                at = os.fstat(file.fileno()).st_mtime
        except (OSError, ValueError):
            continue
        if isinstance(run, dict) and isinstance(run.get("names"), dict):
            found.append({**run, "at": at})
    return found


def _path(cachedir: str, call: str, state: str) -> str:
    return os.path.join(_folder(cachedir), f"{_name(call)}-{state}.json")


def _name(call: str) -> str:
    return hashlib.blake2b(call.encode(), digest_size=8).hexdigest()


def _folder(cachedir: str) -> str:
    return os.path.join(cachedir, "read_sets")


def _paths(folder: str) -> list[str]:
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except FileNotFoundError:
        return []
    paths = [os.path.join(folder, name) for name in names]
    return sorted(paths, key=lambda path: os.stat(path).st_mtime_ns, reverse=True)
