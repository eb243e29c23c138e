"""Temporary files and directories, private to the user that salt-g runs as."""

from __future__ import annotations

import os
import tempfile


def dir(suffix: str = "", prefix: str = "tmp", parent: str | None = None) -> str:
    """Create a directory below `parent` (default: the system's temporary directory); return its path.

    Example::

        salt-g temp.dir prefix=mytemp- parent=/var/run/
    """
    return tempfile.mkdtemp(suffix, prefix, parent)


def file(suffix: str = "", prefix: str = "tmp", parent: str | None = None) -> str:
    """Create an empty file below `parent` (default: the system's temporary directory); return its path.

    Example::

        salt-g temp.file suffix=.txt
    """
    descriptor, path = tempfile.mkstemp(suffix, prefix, parent)
    os.close(descriptor)
    return path
