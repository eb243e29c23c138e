"""Caches on the disk of this minion."""

from __future__ import annotations

import logging
import os
import shutil
import time
from typing import Any

from salt_g.api import opts

log = logging.getLogger(__name__)


def clear_cache() -> bool:
    """Remove all cached files; return whether that succeeded.

    Example::

        salt-g saltutil.clear_cache
    """
    for parent, _, names in os.walk(str(opts["cachedir"])):
        for name in names:
            try:
                os.unlink(os.path.join(parent, name))
            except OSError as exc:
                log.error("Attempt to clear cache with saltutil.clear_cache FAILED with: %s", exc)
                return False
    return True


def clear_job_cache(hours: float = 24) -> bool:
    """Remove stored jobs older than this number of hours; return whether that succeeded.

    Example::

        salt-g saltutil.clear_job_cache hours=12
    """
    oldest = time.time() - hours * 3600
    folder = _job_folder()
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        try:
            if os.path.getmtime(path) < oldest:
                shutil.rmtree(path)
        except OSError as exc:
            log.error("Attempt to clear cache with saltutil.clear_job_cache FAILED with: %s", exc)
            return False
    return True


def find_cached_job(jid: str) -> Any:
    """Return the stored return of a job, or a text with the reason why there is none.

    Example::

        salt-g saltutil.find_cached_job 20240101120000000000
    """
    folder = os.path.join(_job_folder(), os.path.basename(str(jid)))
    if not os.path.isdir(folder):
        if not opts.get("cache_jobs"):
            return "Local jobs cache directory not found; you may need to enable cache_jobs on this minion"
        return f"Local jobs cache directory {folder} not found"
    import msgpack  # Imported lazily: used only here.

    path = os.path.join(folder, "return.p")
    try:
        with open(path, "rb") as file:
            content = file.read()
        found = msgpack.unpackb(content, strict_map_key=False) if content else None
    except FileNotFoundError:
        # `saltutil.clear_cache` removes files and leaves their directories.
        return f"Local jobs cache directory {folder} holds no return"
    # Damaged bytes may also read as a mapping of lists, which cannot be keys.
    except (ValueError, TypeError) as exc:
        return f"Local jobs cache file {path} is damaged: {exc}"
    return found if isinstance(found, dict) else None


def _job_folder() -> str:
    return os.path.join(str(opts["cachedir"]), "minion_jobs")
