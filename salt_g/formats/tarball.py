"""Unpack tar archives so that nothing lands outside of the wanted directory.

Why its own file: bundles of states and archives of users are both strangers' files. Python's own
filter does it where Python has one (3.12, and late releases of 3.10 and 3.11); elsewhere the
members are looked at here.
Errors: tarfile.TarError names the member that would leave the directory.
"""

from __future__ import annotations

import os
import tarfile
from typing import Any

#: Modes of members keep these bits: no set-user-id, nothing writable for everybody.
_MODE_MASK = 0o755
#: Tells a Python that has filters to use none, because the members were looked at.
_TRUSTED: dict[str, Any] = {"filter": "fully_trusted"} if hasattr(tarfile, "data_filter") else {}


def unpack(archive: tarfile.TarFile, directory: str) -> None:
    """Unpack all members of an open archive below `directory`; absolute names become relative to it."""
    if hasattr(tarfile, "data_filter"):
        archive.extractall(directory, filter="data")
    else:
        unpack_checked(archive, directory)


def unpack_checked(archive: tarfile.TarFile, directory: str) -> None:
    """Do the same with a Python that has no filter of its own."""
    members = archive.getmembers()
    for member in members:
        member.name = member.name.lstrip("/")
        _check(member, directory)
        if member.isfile():
            member.mode &= _MODE_MASK
    for member in members:
        archive.extract(member, directory, **_TRUSTED)


def _check(member: tarfile.TarInfo, directory: str) -> None:
    if not (member.isfile() or member.isdir() or member.issym() or member.islnk()):
        raise tarfile.TarError(f"{member.name!r} is a device or pipe, which archives must not bring")
    _check_inside(directory, member.name, member.name)
    if member.issym():
        _check_inside(directory, os.path.join(os.path.dirname(member.name), member.linkname), member.name)
    elif member.islnk():
        _check_inside(directory, member.linkname, member.name)


def _check_inside(directory: str, path: str, name: str) -> None:
    root = os.path.realpath(directory)
    target = os.path.realpath(os.path.join(root, path))
    if os.path.isabs(path) or os.path.commonpath([root, target]) != root:
        raise tarfile.TarError(f"{name!r} would land outside of {directory}")
