"""Extraction of tar archives that never writes outside of the target directory.

Both state bundles and users' archives are untrusted. Modes are those of Python's `data` filter, without
set-user-id and without write permission for group and others; owners of members are not applied.
Errors: tarfile.TarError names the member that would leave the directory.
"""

from __future__ import annotations

import stat
import tarfile

from salt_g.errors import UnsafeMember
from salt_g.formats.archive_writer import ArchiveWriter, inner_name, open_below

#: Mode bits kept for members: no set-user-id, and no write permission for group and others.
_MODE_MASK = 0o755
#: Mode bits set for each file, so that its owner can read and write it.
_OWNER = 0o600
_GROUP_AND_OTHERS_RUN = 0o011


def unpack(archive: tarfile.TarFile, directory: str) -> None:
    """Unpack all members of an open archive below `directory`; absolute names become relative to it."""
    unpack_checked(archive, directory)


def unpack_checked(archive: tarfile.TarFile, directory: str) -> None:
    """Check all members, then unpack them one by one."""
    members = archive.getmembers()
    try:
        for member in members:
            _check(member, directory)
        with open_below(directory) as target:
            for member in members:
                _write(archive, member, target)
            # Deepest directories first, because writing into a directory changes its modification time.
            for member in sorted(members, key=lambda member: member.name, reverse=True):
                if member.isdir():
                    target.make_directory(member.name, mtime=member.mtime)
    except UnsafeMember as exc:
        raise tarfile.TarError(str(exc)) from exc


def _check(member: tarfile.TarInfo, directory: str) -> None:
    """Raise TarError or UnsafeMember for a member that is unsafe by itself, before anything is written."""
    if not (member.isfile() or member.isdir() or member.issym() or member.islnk()):
        raise tarfile.TarError(f"{member.name!r} is a device or pipe, which is not allowed in archives")
    name = inner_name(member.name, directory)
    if member.islnk():
        if member.linkname.startswith("/"):
            raise UnsafeMember(member.name, directory)
        inner_name(member.linkname, directory)
    elif member.issym():
        # Below a link of the archive the real depth may be smaller, so `symlink` checks the target again.
        ArchiveWriter.check_target(member.name, member.linkname, name.count("/"), directory)


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, target: ArchiveWriter) -> None:
    if member.isdir():
        target.make_directory(member.name)
    elif member.issym():
        target.symlink(member.name, member.linkname)
    elif not (member.islnk() and target.hard_link(member.name, member.linkname)):
        # If the target of a hard link was skipped, copy its content from the archive.
        try:
            content = archive.extractfile(member)
        except KeyError as exc:
            raise tarfile.TarError(f"{member.name!r} is a hard link to a missing file") from exc
        if content is not None:
            with content:
                target.write(member.name, content, mode=_mode(member.mode), mtime=member.mtime)


def _mode(mode: int) -> int:
    kept = mode & _MODE_MASK | _OWNER
    return kept if kept & stat.S_IXUSR else kept & ~_GROUP_AND_OTHERS_RUN
