"""The high data of the last run, kept for `cache=True`.

Shapes: `<cachedir>/<name>.cache.p` holds msgpack high data, readable by the owner only.
"""

from __future__ import annotations

import logging
import os

from salt_g.process.disk import make_private_directory, write_new_or_replace
from salt_g.shapes import HighData

log = logging.getLogger(__name__)

#: What the files end in.
SUFFIX = ".cache.p"


class HighCache:
    """The cached high data of a minion."""

    def __init__(self, cachedir: str) -> None:
        self._cachedir = cachedir

    def read(self, name: str) -> HighData | None:
        """Return cached high data, None when there is none."""
        import msgpack  # only runs that ask for the cache read it

        try:
            with open(self._path(name), "rb") as file:
                high: HighData = msgpack.unpackb(file.read(), strict_map_key=False)
        except (FileNotFoundError, ValueError):
            # Not there, or a part of one: its writer was ended.
            return None
        return high

    def write(self, name: str, high: HighData) -> None:
        """Keep high data; a full disk costs the cache, not the run."""
        import msgpack

        try:
            make_private_directory(self._cachedir)
            content = msgpack.packb(high, default=str)
            if not self._holds(name, content):
                write_new_or_replace(self._path(name), content)
        except OSError as exc:
            log.error("high data is not cached: %s", exc)

    def _holds(self, name: str, content: bytes) -> bool:
        """Return whether this is kept already: most runs compile to what the last one did."""
        try:
            if os.path.getsize(self._path(name)) != len(content):
                return False
            with open(self._path(name), "rb") as file:
                return file.read() == content
        except FileNotFoundError:
            return False

    def clear(self) -> list[str]:
        """Remove all cached high data; return the names of the files."""
        try:
            names = sorted(name for name in os.listdir(self._cachedir) if name.endswith(SUFFIX))
        except FileNotFoundError:
            return []
        for name in names:
            os.unlink(os.path.join(self._cachedir, name))
        return names

    def _path(self, name: str) -> str:
        return os.path.join(self._cachedir, f"{os.path.basename(name)}{SUFFIX}")
