"""Package files that a caller names by path or URL, for `lowpkg.bin_pkg_info`."""

from __future__ import annotations

import os

from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError


def local_copy(path: str, saltenv: str) -> str:
    """Return the path of a package file on this machine; a URL is downloaded first."""
    if call("config.valid_fileproto", path):
        cached: str = call("cp.cache_file", path, saltenv)
        if not cached:
            raise CommandExecutionError(f"Unable to retrieve {path} from saltenv '{saltenv}'")
        return cached
    if not os.path.exists(path):
        raise CommandExecutionError(f"{path} does not exist on minion")
    if not os.path.isabs(path):
        raise InvocationError(f"{path} does not exist on minion")
    return path
