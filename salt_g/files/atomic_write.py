"""Atomic file replacement for streams of any size.

Incomplete downloads and cache copies must never appear under the final name. Unlike with
`disk.write_whole`, nothing is synced: the files can be fetched again, and waiting for the disk would slow the
first run.
Units: modes are octal ints.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import IO

from salt_g import safe_files
from salt_g.process.disk import PRIVATE_FILE, make_private_directory
from salt_g.safe_files.recording import before_change

#: Mode of files requested by a user, before the umask.
USER_FILE = 0o666
#: Name prefix of incomplete files.
TEMPORARY = ".salt-g-"


@contextlib.contextmanager
def placed(dest: str, *, mode: int = PRIVATE_FILE) -> Iterator[IO[bytes]]:
    """Open a file that becomes `dest` when the block succeeds, and is removed otherwise."""
    with safe_files.located(dest, follow=False) as place:
        temporary = f"{TEMPORARY}{os.urandom(8).hex()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            descriptor = os.open(temporary, flags, mode, dir_fd=place.parent)
        except OSError as exc:
            raise OSError(exc.errno, exc.strerror, dest) from None
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
            before_change(place)
            os.replace(temporary, place.name, src_dir_fd=place.parent, dst_dir_fd=place.parent)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=place.parent)
            raise


def clear_way(dest: str) -> None:
    """Create the private directory of a cache file, and remove conflicting entries.

    A path of the file server that was a file may now be a directory, and vice versa.
    """
    parent = os.path.dirname(dest)
    if os.path.isfile(parent):
        os.unlink(parent)
    make_private_directory(parent)
    if os.path.isdir(dest) and not os.path.islink(dest):
        safe_files.remove_tree(dest)


def mode_for(dest: str) -> int:
    """Return the mode for a file that a user requested: its current mode, or the default for a new file."""
    try:
        return stat.S_IMODE(os.stat(dest).st_mode)
    except OSError:
        return USER_FILE
