"""Cache of the last run's high data, for `cache=True`.

Shapes: `<cachedir>/<name>.cache.p` holds the mapping of high data in msgpack, readable by the owner only.
"""

from __future__ import annotations

import logging
import os

from salt_g.process.disk import make_private_directory, write_new_or_replace
from salt_g.shapes.high_data import HighData, MalformedChanges

log = logging.getLogger(__name__)

#: Suffix of the cache files.
SUFFIX = ".cache.p"


class HighCache:
    """Cached high data of a minion."""

    def __init__(self, cachedir: str) -> None:
        self._cachedir = cachedir

    def read(self, name: str) -> HighData | None:
        """Return cached high data, or None if it is missing or damaged."""
        import msgpack  # Imported lazily: only runs that use the cache read it.

        try:
            with open(self._path(name), "rb") as file:
                kept = msgpack.unpackb(file.read(), strict_map_key=False)
        except (FileNotFoundError, ValueError):
            # The file is missing, or truncated because its writer was killed.
            return None
        try:
            return HighData.of(kept) if isinstance(kept, dict) else None
        except MalformedChanges:
            return None

    def write(self, name: str, high: HighData) -> None:
        """Save high data; an error, such as a full disk, is only logged."""
        import msgpack

        try:
            make_private_directory(self._cachedir)
            content = msgpack.packb(high.as_mapping(), default=str)
            if not self._is_unchanged(name, content):
                write_new_or_replace(self._path(name), content)
        except OSError as exc:
            log.error("cannot cache high data: %s", exc)

    def _is_unchanged(self, name: str, content: bytes) -> bool:
        """Return whether the file already has this content, as most runs compile to the same data."""
        try:
            if os.path.getsize(self._path(name)) != len(content):
                return False
            with open(self._path(name), "rb") as file:
                return file.read() == content
        except FileNotFoundError:
            return False

    def clear(self) -> list[str]:
        """Remove all cached high data; return the names of the removed files."""
        try:
            names = sorted(name for name in os.listdir(self._cachedir) if name.endswith(SUFFIX))
        except FileNotFoundError:
            return []
        for name in names:
            os.unlink(os.path.join(self._cachedir, name))
        return names

    def _path(self, name: str) -> str:
        return os.path.join(self._cachedir, f"{os.path.basename(name)}{SUFFIX}")
