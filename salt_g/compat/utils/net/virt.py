"""Stock's `salt.utils.virt`: downloads of files for virtual machines."""

import os
import re
import shutil
import urllib.request

from salt_g.compat.refusal import refuse

_REMOTE = re.compile(r"(?:https?|ftp)://")
#: Time without data after which a download is aborted (s).
_PATIENCE = 60

VirtKey = refuse("salt.utils.virt.VirtKey", "accept keys with `salt-g key`, or with invitations")


def check_remote(cmdline_path: str) -> bool:
    """Return whether a path is a URL."""
    return _REMOTE.match(cmdline_path) is not None


def download_remote(url: str, dir: str) -> str:
    """Download a file into a directory; return its path there."""
    target = os.path.join(dir, url.rpartition("/")[2])
    with urllib.request.urlopen(url, timeout=_PATIENCE) as answer, open(target, "wb") as file:
        shutil.copyfileobj(answer, file)
    return target


__all__ = ["VirtKey", "check_remote", "download_remote"]
