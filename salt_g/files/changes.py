"""Change detection in file roots, for events.

Only masters with `fileserver_events` use it; serving needs no snapshot.
Units: seconds between two scans (`roots_update_interval`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from salt_g.files.backend import Changed
from salt_g.files.roots import Roots
from salt_g.process.offload import offload_in_daemon

#: {(environment, path): fingerprint of the file}
_Snapshot = dict[tuple[str, str], tuple[int, int]]


class RootsChanges:
    """Scanner for changes of the files of `Roots`; the first scan finds none."""

    def __init__(self, roots: Roots, interval: float) -> None:
        self.name = roots.name
        self.interval = interval
        self._roots = roots
        self._seen: _Snapshot | None = None

    def update(self, remotes: Sequence[str] = ()) -> Changed:
        """Return the changes since the last call; a file that was only written is not named."""
        before, now = self._seen, offload_in_daemon(self._snapshot)
        self._seen = now
        if before is None or before == now:
            return Changed()
        added = sorted({path for _, path in now.keys() - before.keys()})
        removed = sorted({path for _, path in before.keys() - now.keys()})
        return Changed(True, tuple(added), tuple(removed))

    def _snapshot(self) -> _Snapshot:
        return dict(self._files())

    def _files(self) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
        for env in self._roots.envs():
            for path in self._roots.scan(env).files:
                found = self._roots.find(path, env)
                if found is not None:
                    status = os.stat(found.path)
                    yield (env, path), (status.st_mtime_ns, status.st_size)
