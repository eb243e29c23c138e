"""Job files for stock's command line on this host.

Stock's `salt` does not ask the master about the job that it has just published, but reads `cachedir/jobs`.
Jobs are kept in the store; these files are short-lived copies for such a client.
Units: seconds.
Source: wire specification, section 11.4.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterable

from salt_g.process import disk
from salt_g.shapes.loads import JobLoad
from salt_g.wire.packing import pack_bus

log = logging.getLogger(__name__)


class StockJobFiles:
    """Directory `jobs` in `cachedir`, whose layout depends on the setting `hash_type`."""

    def __init__(
        self, cachedir: str, *, hash_type: str = "sha256", clock: Callable[[], float] = time.time
    ) -> None:
        self._root = os.path.join(cachedir, "jobs")
        self._hash_type = hash_type
        self._clock = clock
        self._disk_is_well = True

    def write(self, jid: str, load: JobLoad, minions: Iterable[str]) -> None:
        """Write the load of a job and its expected minions; errors such as a full disk are logged once."""
        try:
            self._write(jid, load, minions)
        except OSError as exc:
            if self._disk_is_well:
                log.warning("%s: stock's command line cannot see jobs: %s", self._root, exc)
            self._disk_is_well = False
        else:
            self._disk_is_well = True

    def _write(self, jid: str, load: JobLoad, minions: Iterable[str]) -> None:
        directory = self._directory(jid)
        disk.make_private_directory(directory)
        for name, content in (
            ("jid", jid.encode()),
            (".minions.p", pack_bus(sorted(minions))),
            # Written last: a client that finds the load finds the rest.
            (".load.p", pack_bus(load)),
        ):
            with disk.replacing(os.path.join(directory, name), new_mode=disk.PRIVATE_FILE) as file:
                file.write(content)

    def remove_older(self, seconds: float) -> int:
        """Remove jobs written more than `seconds` ago; return their number."""
        limit = self._clock() - seconds
        removed = 0
        for directory in list(self._directories()):
            if os.stat(directory).st_mtime < limit:
                shutil.rmtree(directory, ignore_errors=True)
                removed += 1
        return removed

    def _directory(self, jid: str) -> str:
        digest = hashlib.new(self._hash_type, jid.encode()).hexdigest()
        return os.path.join(self._root, digest[:2], digest[2:])

    def _directories(self) -> Iterable[str]:
        if not os.path.isdir(self._root):
            return
        for first in os.scandir(self._root):
            if first.is_dir(follow_symlinks=False):
                yield from (
                    entry.path for entry in os.scandir(first.path) if entry.is_dir(follow_symlinks=False)
                )
