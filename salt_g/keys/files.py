"""Read access to the keys below one `pki_dir`, as a master needs it at each sign-in and each job.

`acceptance.py` changes keys in the same directories and reports each change.
Errors: KeysError and KeysUnavailable, see `directory.py`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

from salt_g.errors import KeysUnavailable
from salt_g.keys.admission import ACCEPTED, PENDING, REJECTED, STATES, KeyState
from salt_g.keys.directory import Directory
from salt_g.process import disk

log = logging.getLogger(__name__)

#: Priority of states when an id has several keys.
LOOK_UP = (REJECTED, PENDING, ACCEPTED)


class KeyFiles:
    """Key files of all states; `write(path, text)` writes a file, in a daemon by a native thread."""

    def __init__(self, pki_dir: str, *, write: Callable[[str, str], None] = disk.write_whole) -> None:
        self.pki_dir = pki_dir
        self.write = write
        self._accepted = os.path.join(pki_dir, ACCEPTED)
        self.directories = {state: Directory(os.path.join(pki_dir, state), write) for state in STATES}

    def accepted(self) -> frozenset[str]:
        """Return the ids of accepted keys; takes one `stat` unless the directory has changed."""
        return self.directories[ACCEPTED].names()

    def known(self) -> frozenset[str]:
        """Return the ids with a key in any state."""
        return frozenset[str]().union(*(directory.names() for directory in self.directories.values()))

    def accepted_key(self, id: str) -> str | None:
        """Return the accepted key of an id (cleaned PEM), or None if there is none."""
        return self.directories[ACCEPTED].read(id) or None

    def stamp(self, id: str) -> tuple[int, ...] | None:
        """Return a stamp of an id's accepted key file that changes with the file; None without a file.

        This takes one `stat`. Raises KeysUnavailable if the `stat` fails.
        """
        path = f"{self._accepted}/{id}"
        try:
            found = os.stat(path, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise KeysUnavailable(path, exc) from exc
        return (found.st_ino, found.st_mtime_ns, found.st_size)

    def refresh(self, id: str) -> None:
        """Do nothing, because keys are always read from files; subclasses reread cached keys of an id."""

    def find(self, id: str) -> KeyState | None:
        """Return the key on file for an id; if it has several, a rejected or pending one takes precedence."""
        for state in LOOK_UP:
            pem = self.directories[state].read(id)
            if pem is not None:
                return KeyState(state, pem)
        return None

    def text(self, state: str, id: str) -> str | None:
        """Return the key of an id, None without one; log an unreadable one and return ''."""
        try:
            return self.directories[state].read(id)
        except KeysUnavailable as exc:
            log.error("%s: its key was skipped: %s", id, exc)
            return ""
