"""Files that gpg reads and writes.

Why its own file: we open them, not gpg, which may run as somebody else; what was secret stays private, and
nothing takes the place of a file before it is whole.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import IO

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.process import disk


def reading(path: str) -> IO[bytes]:
    """Return a file opened for reading; raises InvocationError when it cannot be."""
    try:
        return open(path, "rb")
    except OSError as exc:
        raise InvocationError(f"cannot read {path!r}: {exc.strerror}") from exc


@contextlib.contextmanager
def writing(path: str, *, is_secret: bool) -> Iterator[IO[bytes]]:
    """Give a file that takes the place of `path` when the block ends without an error.

    An existing file's owner and mode stay; a new one is for its owner alone when `is_secret`.
    Raises CommandExecutionError when it cannot be written.
    """
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(
                disk.replacing(path, new_mode=disk.PRIVATE_FILE if is_secret else None)
            )
        except OSError as exc:
            raise CommandExecutionError(f"cannot write {path!r}: {exc.strerror}") from exc
        yield file
