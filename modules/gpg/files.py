"""Files that gpg reads and writes.

salt-g opens them itself, because gpg may run as another user. Secrets stay private, and a file is replaced
only when the new content is complete.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import IO

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.process import disk


def reading(path: str) -> IO[bytes]:
    """Return a file opened for reading; raise InvocationError if it cannot be opened."""
    try:
        return open(path, "rb")
    except OSError as exc:
        raise InvocationError(f"cannot read {path!r}: {exc.strerror}") from exc


@contextlib.contextmanager
def writing(path: str, *, is_secret: bool) -> Iterator[IO[bytes]]:
    """Open a file that replaces `path` when the block ends without an error.

    An existing file keeps owner and mode; a new one is private to its owner if `is_secret`. Raises
    CommandExecutionError if it cannot be written.
    """
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(
                disk.replacing(path, new_mode=disk.PRIVATE_FILE if is_secret else None)
            )
        except OSError as exc:
            raise CommandExecutionError(f"cannot write {path!r}: {exc.strerror}") from exc
        yield file
