"""State runs that were tested and await confirmation (`state.request`).

Shapes: `<cachedir>/req_state.p` holds msgpack {name: {test_run, mods, kwargs}}.
"""

from __future__ import annotations

import contextlib
import os

from salt_g.process.disk import make_private_directory, write_whole
from salt_g.shapes import RunRequest

#: {name: {"test_run": running dict, "mods": requested SLS, "kwargs": options}}
Pending = dict[str, RunRequest]


class RunRequests:
    """Pending requests of this minion."""

    def __init__(self, cachedir: str) -> None:
        self._cachedir = cachedir
        self._path = os.path.join(cachedir, "req_state.p")

    def read(self) -> Pending:
        """Return all pending requests by name."""
        import msgpack  # Imported lazily: only `state.request` and its family need it.

        try:
            with open(self._path, "rb") as file:
                pending: Pending = msgpack.unpackb(file.read(), strict_map_key=False)
        except FileNotFoundError:
            return {}
        return pending

    def put(self, name: str, request: RunRequest) -> None:
        """Save a request; replace one of the same name."""
        self._write({**self.read(), name: request})

    def clear(self, name: str | None = None) -> bool:
        """Remove one request, or all; return False if requests were made but none has that name."""
        pending = self.read()
        if name is None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._path)
            return True
        if name not in pending:
            # Stock returns True if nothing was ever requested.
            return not os.path.exists(self._path)
        del pending[name]
        self._write(pending)
        return True

    def _write(self, pending: Pending) -> None:
        import msgpack

        make_private_directory(self._cachedir)
        write_whole(self._path, msgpack.packb(pending, default=str))
