"""Script of a roster entry that runs on a host before its first call (`ssh_pre_flight`).

A marker file on the host, named after the hash of the script's path, records that the script has run there. A
script that fails runs again before the next call. With `--pre-flight` the script runs before each call.
"""

from __future__ import annotations

import hashlib
import logging
import posixpath
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _cached_files, _files
from salt_g.resources.ssh._connection import Unreachable

log = logging.getLogger(__name__)


class PreFlight(NamedTuple):
    """Script on this machine: path, arguments in shell syntax, and whether it runs before each call."""

    path: str
    args: str
    is_forced: bool

    def has_run(self) -> bool:
        """Return whether the script has already run on the current call's host; False if it is forced."""
        if self.is_forced:
            return False
        try:
            return _files.path_state(self._mark()).is_file
        except Unreachable:
            raise
        except CommandExecutionError:  # A user without a home.
            return False

    def note(self) -> None:
        """Record on the host of the current call that the script has run; log a warning if that fails."""
        content = f"{self.path}\n".encode("utf-8", "surrogateescape")
        try:
            _files.write(self._mark(), content, mode="0600", makedirs=True, dir_mode="0700")
        except Unreachable:
            raise
        except CommandExecutionError as exc:
            log.warning(
                "cannot record on the host that %s has run, so the script will run again: %s", self.path, exc
            )

    def _mark(self) -> str:
        name = hashlib.sha256(self.path.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return posixpath.join(_cached_files.directory(), "pre-flight", name)


def of_entry(entry: Mapping[str, Any], *, is_forced: bool) -> PreFlight | None:
    """Return the script in a host's roster entry, or None if the entry names none."""
    path, args = entry.get("ssh_pre_flight"), entry.get("ssh_pre_flight_args") or ""
    if not path:
        return None
    words = shlex.join(map(str, args)) if isinstance(args, (list, tuple)) else str(args)
    return PreFlight(str(path), words, is_forced)
