"""Tell which files of the roots have changed since the last look, for events.

Why its own file: only masters with `fileserver_events` look at all; serving needs no snapshot.
Units: seconds between two looks (`roots_update_interval`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from salt_g.files.backend import Changed
from salt_g.files.roots import Roots
from salt_g.process.offload import offload_in_daemon

#: (environment, path) to what changes with the content.
_Snapshot = dict[tuple[str, str], tuple[int, int]]


class RootsChanges:
    """Looks at the files of `Roots`; the first look finds no changes."""

    def __init__(self, roots: Roots, interval: float) -> None:
        self.name = roots.name
        self.interval = interval
        self._roots = roots
        self._seen: _Snapshot | None = None

    def update(self, remotes: Sequence[str] = ()) -> Changed:
        """Return what was added, removed or written since the last time."""
        before, now = self._seen, offload_in_daemon(self._look)
        self._seen = now
        if before is None or before == now:
            return Changed()
        added = sorted({path for _, path in now.keys() - before.keys()})
        removed = sorted({path for _, path in before.keys() - now.keys()})
        return Changed(True, tuple(added), tuple(removed))

    def _look(self) -> _Snapshot:
        return dict(self._files())

    def _files(self) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
        for env in self._roots.envs():
            for path in self._roots.scan(env).files:
                found = self._roots.find(path, env)
                if found is not None:
                    status = os.stat(found.path)
                    yield (env, path), (status.st_mtime_ns, status.st_size)
