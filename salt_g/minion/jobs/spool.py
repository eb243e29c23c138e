"""Spool of returns on disk, kept until the master has acknowledged them.

The result of a job must survive a crash of the minion or its master.
Shapes: `<cachedir>/returns/<jid>.<number>` holds bus-form msgpack {"version": 1, "master": name, "load":
load}; files of the first releases lack the version. Files of a newer version are left unchanged.
Bounds: `max_bytes` of files; the oldest are removed to make room, which is logged.
Errors: OSError of the disk. Damaged files are renamed to `<name>.damaged` and logged.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import stat
from typing import Any, NamedTuple

from salt_g.errors import WireError
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.process.offload import offload
from salt_g.shapes.loads import SpooledLoad, is_return
from salt_g.wire.packing import pack_bus, unpack

log = logging.getLogger(__name__)

#: Maximum total size of the returns on disk (bytes).
MAX_BYTES = 256 * 1024 * 1024
#: Version of the return files.
VERSION = 1
_DAMAGED = ".damaged"
_UNFINISHED = ".salt-g-"


class SpooledReturn(NamedTuple):
    """Return in the spool; `master` is the name of its destination."""

    master: str
    load: SpooledLoad


class Spool:
    """Spool of returns in one folder."""

    def __init__(self, cachedir: str, *, max_bytes: int = MAX_BYTES) -> None:
        self._folder = os.path.join(cachedir, "returns")
        self._max_bytes = max_bytes
        self._numbers = itertools.count()
        self._sizes: dict[str, int] = {}

    @property
    def waiting(self) -> tuple[int, int]:
        """Number and total bytes of the returns on disk."""
        return len(self._sizes), sum(self._sizes.values())

    def jids(self) -> set[str]:
        """Return the jids of the returns on disk; complete only after `open`."""
        return {name.rpartition(".")[0] for name in self._sizes}

    def open(self) -> list[str]:
        """Return the file names of returns from an earlier run, oldest first."""
        for name in self._names():
            if name.startswith(_UNFINISHED):
                self._unlink(name)
            elif not name.endswith(_DAMAGED):
                self._note(name)
        return list(self._sizes)

    def _note(self, name: str) -> None:
        found = os.lstat(self._path(name))
        if stat.S_ISREG(found.st_mode):
            self._sizes[name] = found.st_size
        else:
            log.error("%s: not a regular file, ignored", self._path(name))

    def put(self, master: str, load: SpooledLoad) -> str:
        """Write a return to disk, synced, and return the file's name.

        Raise WireError for a value that is too large for a message.
        """
        data = pack_bus({"version": VERSION, "master": master, "load": dict(load)})
        make_private_directory(self._folder)
        name = self._new_name(str(load["jid"]))
        self._make_room(len(data))
        self._sizes[name] = len(data)
        try:
            offload(_write, self._path(name), data)
        except BaseException:
            self._sizes.pop(name, None)
            raise
        return name

    def get(self, name: str) -> SpooledReturn | None:
        """Return the stored return with this name, or None if it was removed or cannot be read."""
        try:
            with open(self._path(name), "rb") as file:
                kept = unpack(file.read())
            if kept.get("version", 0) > VERSION:
                self._leave(name, kept["version"])
                return None
            return SpooledReturn(str(kept["master"]), _checked(kept["load"]))
        except FileNotFoundError:
            return None
        except OSError as exc:
            log.error("%s: cannot read a return; it is kept for the next start: %s", self._path(name), exc)
            return None
        except (WireError, AttributeError, KeyError, TypeError, ValueError) as exc:
            log.error("%s: cannot read a return; it is set aside: %s", self._path(name), exc)
            with contextlib.suppress(OSError):
                os.rename(self._path(name), self._path(name) + _DAMAGED)
            self._sizes.pop(name, None)
            return None

    def size_of(self, name: str) -> int:
        """Return the size of a return on disk (bytes), or 0 if it was removed."""
        return self._sizes.get(name, 0)

    def remove(self, name: str) -> None:
        """Remove a return that the master has acknowledged."""
        self._sizes.pop(name, None)
        self._unlink(name)

    def _leave(self, name: str, version: Any) -> None:
        log.error(
            "%s: a return has version %s and was written by a newer salt-g; this one knows versions up to %d."
            " It stays until the newer salt-g is started again",
            self._path(name),
            version,
            VERSION,
        )

    def _names(self) -> list[str]:
        """Return the file names in the folder, created if missing; [] if the disk is unusable."""
        try:
            make_private_directory(self._folder)
            return sorted(os.listdir(self._folder))
        except OSError as exc:
            log.error("%s cannot be used: %s", self._folder, exc)
            return []

    def _make_room(self, size: int) -> None:
        while self._sizes and sum(self._sizes.values()) + size > self._max_bytes:
            oldest = next(iter(self._sizes))
            log.error("the returns on disk exceed %d bytes: %s is removed", self._max_bytes, oldest)
            self.remove(oldest)

    def _new_name(self, jid: str) -> str:
        """Return a new file name that sorts by age and cannot lead out of the folder, whatever the jid."""
        while True:
            name = f"{os.path.basename(jid)}.{next(self._numbers):04d}"
            if name not in self._sizes:
                return name

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _unlink(self, name: str) -> None:
        try:
            os.unlink(self._path(name))
        except FileNotFoundError:
            pass
        except OSError as exc:
            # The return is resent at the next start, and the master recognizes the repetition.
            log.error("%s: cannot remove an acknowledged return: %s", self._path(name), exc)


def _checked(load: Any) -> SpooledLoad:
    """Return a load that is a return with a jid; raise ValueError for anything else."""
    parts = load.get("returns", [load])
    if not (is_return(load) and isinstance(parts, list) and parts):
        raise ValueError("not a return")
    if not all(isinstance(part, dict) and isinstance(part.get("jid"), str) for part in [load, *parts]):
        raise ValueError("a return without a jid")
    return load


def _write(path: str, data: bytes) -> None:
    write_whole(path, data)
