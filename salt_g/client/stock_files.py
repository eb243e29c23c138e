"""Files of a stock master that its clients read: keys, cached minion data, the job cache.

Our master answers these queries itself. With a stock master a client reads its directories, as stock's own
clients do.
Source: wire specification, sections 11.4 and 14.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any

from salt_g.errors import WireError
from salt_g.shapes.loads import JobLoad, ReturnLoad, is_job, is_return
from salt_g.wire.packing import unpack

if TYPE_CHECKING:
    from salt_g.shapes import Opts


def matching_minions(opts: Opts, tgt: Any, tgt_type: str, *, delimiter: str = ":") -> list[str]:
    """Return the accepted minions that match according to cached data; minions without data match."""
    # Imported lazily: most commands do not need matching.
    from salt_g.match.matchers import MinionView, matches

    matching = []
    for id in _names(os.path.join(opts["pki_dir"], "minions")):
        grains, pillar = (
            _read(os.path.join(opts["cachedir"], kind, f"{id}.p")) for kind in ("grains", "pillar")
        )
        minion = MinionView(
            id, grains or {}, pillar or {}, opts.get("nodegroups") or {}, is_unknown=grains is None
        )
        if matches(tgt, tgt_type, minion, delimiter=delimiter):
            matching.append(id)
    return matching


def job_load(opts: Opts, jid: str) -> JobLoad:
    """Return the cached load of a job, or {} if there is no such job."""
    load = _read(os.path.join(_job_directory(opts, jid), ".load.p"))
    return load if is_job(load) else {}


def job_returns(opts: Opts, jid: str) -> dict[str, ReturnLoad]:
    """Return {id: {"return", "retcode"?, "success"?, "out"?}} of a job."""
    directory = _job_directory(opts, jid)
    found: dict[str, ReturnLoad] = {}
    for id in _names(directory):
        returned = _read(os.path.join(directory, id, "return.p"))
        if returned is None:
            continue
        # Older releases store the bare value.
        found[id] = returned if is_return(returned) and "return" in returned else {"return": returned}
        out = _read(os.path.join(directory, id, "out.p"))
        if out is not None:
            found[id]["out"] = out
    return found


def _job_directory(opts: Opts, jid: str) -> str:
    digest = hashlib.new(opts.get("hash_type") or "sha256", jid.encode()).hexdigest()
    return os.path.join(opts["cachedir"], "jobs", digest[:2], digest[2:])


def _names(directory: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(directory) if not name.startswith("."))
    except OSError:
        return []


def _read(path: str) -> Any:
    """Return the value in a cache file, or None if there is none."""
    try:
        with open(path, "rb") as file:
            return unpack(file.read())
    except (OSError, WireError):
        return None
