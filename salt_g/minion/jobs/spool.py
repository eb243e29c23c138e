"""Returns on disk, from before they are sent until the master has acknowledged them.

Why its own file: what a job did must not be lost when the minion or its master ends in between.
Shapes: `<cachedir>/returns/<jid>.<number>` holds bus-form msgpack
{"version": 1, "master": name, "load": load};
those of the first minions have the same without a version. Files of a newer version stay as they are.
Bounds: `max_bytes` of files; when a further one does not fit, the oldest go, which is logged.
Errors: OSError of the disk. Damaged files are put aside as `<name>.damaged` and logged.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import stat
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.errors import WireError
from salt_g.process.disk import make_private_directory, write_whole
from salt_g.process.offload import offload
from salt_g.wire.packing import pack_bus, unpack

log = logging.getLogger(__name__)

#: What all returns on disk may take (bytes).
MAX_BYTES = 256 * 1024 * 1024
#: The version of the files that are written here.
VERSION = 1
_DAMAGED = ".damaged"
_UNFINISHED = ".salt-g-"


class SpooledReturn(NamedTuple):
    """One return; `master` names whose it is."""

    master: str
    load: dict[str, Any]


class Spool:
    """The folder of returns; life: as long as the minion's."""

    def __init__(self, cachedir: str, *, max_bytes: int = MAX_BYTES) -> None:
        self._folder = os.path.join(cachedir, "returns")
        self._max_bytes = max_bytes
        self._numbers = itertools.count()
        self._sizes: dict[str, int] = {}

    @property
    def waiting(self) -> tuple[int, int]:
        """How many returns are on disk, and how many bytes they take."""
        return len(self._sizes), sum(self._sizes.values())

    def open(self) -> list[str]:
        """Return the names of what an earlier minion left, oldest first."""
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
            log.error("%s: this is no file and none of ours, it stays as it is", self._path(name))

    def put(self, master: str, load: Mapping[str, Any]) -> str:
        """Write a return to the disk and return its name; the disk has it when this returns.

        Raises WireError for a value that no message can hold.
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
        """Return a return, None when it is not there any more or cannot be read."""
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
            log.error("%s: a return cannot be read, it stays for the next start: %s", self._path(name), exc)
            return None
        except (WireError, AttributeError, KeyError, TypeError, ValueError) as exc:
            log.error("%s: a return cannot be read and is put aside: %s", self._path(name), exc)
            with contextlib.suppress(OSError):
                os.rename(self._path(name), self._path(name) + _DAMAGED)
            self._sizes.pop(name, None)
            return None

    def remove(self, name: str) -> None:
        """Forget a return: the master has it."""
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
        """Return the files of the folder, which is made; a disk that takes nothing has none."""
        try:
            make_private_directory(self._folder)
            return sorted(os.listdir(self._folder))
        except OSError as exc:
            log.error("%s cannot be used: %s", self._folder, exc)
            return []

    def _make_room(self, size: int) -> None:
        while self._sizes and sum(self._sizes.values()) + size > self._max_bytes:
            oldest = next(iter(self._sizes))
            log.error("the returns on disk take more than %d bytes: %s is lost", self._max_bytes, oldest)
            self.remove(oldest)

    def _new_name(self, jid: str) -> str:
        """Return a name that sorts by age and is not there yet; a jid must not name a file elsewhere."""
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
            # It is sent again at the next start; the master knows that it has it.
            log.error("%s: a return that the master has cannot be removed: %s", self._path(name), exc)


def _checked(load: Any) -> dict[str, Any]:
    """Return a load whose jid can be told; raises ValueError for what is none."""
    parts = load.get("returns", [load])
    if not (isinstance(load, dict) and isinstance(parts, list) and parts):
        raise ValueError("it holds no return")
    if not all(isinstance(part, dict) and isinstance(part.get("jid"), str) for part in [load, *parts]):
        raise ValueError("it holds a return without a jid")
    return load


def _write(path: str, data: bytes) -> None:
    write_whole(path, data)
