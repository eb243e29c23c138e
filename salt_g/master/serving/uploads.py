"""Files pushed by minions: command `_file_recv`.

The only command with which a peer writes files here. It is off by default, limited by `file_recv_max_size`,
and writes below the sender's own folder only. A file gets its final name when it is complete.
Shapes: one request for each piece: `path` as a list of components, `loc` the offset of the piece, `size` of
the whole file.
Source: wire specification, section 9.2; security properties 4, 15 and 16.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
from collections.abc import Mapping
from typing import Any

from salt_g.files.atomic_write import TEMPORARY
from salt_g.files.minionfs import folder_of
from salt_g.files.roots import is_beneath
from salt_g.master.commands import Field, WireCommand
from salt_g.master.serving.upload_quota import UploadQuota
from salt_g.master.settings import UploadSettings
from salt_g.process.disk import make_private_directory
from salt_g.process.offload import offload
from salt_g.shapes.loads import UploadLoad
from salt_g.wire.requests import SealedRequest

log = logging.getLogger(__name__)

#: Limits of a path: components, and bytes in each.
MAX_DEPTH = 64
MAX_NAME = 255
#: Prefix of the name of a file that is not complete yet.
_PART = f"{TEMPORARY}part-"

_FIELDS: Mapping[str, Field] = {
    "path": Field((list, tuple), required=True, max_size=MAX_DEPTH),
    "loc": Field((int,), required=True),
    "size": Field((int, type(None))),
    "data": Field((bytes, str), required=True),
}


class Uploads:
    """Storage for pushed files."""

    def __init__(self, settings: UploadSettings) -> None:
        self._is_on = settings.file_recv
        self._max_bytes = settings.max_bytes
        self._cachedir = settings.cachedir
        self._budget = UploadQuota(settings.max_total_bytes)

    def commands(self) -> dict[str, WireCommand]:
        """Return the wire command that receives files."""
        return {"_file_recv": WireCommand(self._file_recv, _FIELDS)}

    def _file_recv(self, request: SealedRequest, load: UploadLoad) -> bool:
        if not self._is_on:
            log.warning("%s: pushed a file, but the setting 'file_recv' is off", request.id)
            return False
        problem = self._problem(load)
        if problem:
            log.error("%s: a pushed file is refused: %s", request.id, problem)
            return False
        data = load["data"]
        piece = data.encode() if isinstance(data, str) else data
        folder = folder_of(self._cachedir, request.id)
        try:
            if not self._budget.admits(folder, len(piece)):
                log.error("%s: a pushed file is refused: it would exceed 'file_recv_max_total'", request.id)
                return False
            return offload(_keep, folder, load["path"], load["loc"], piece, load.get("size"))
        except OSError as exc:
            log.error("%s: cannot save a pushed file: %s", request.id, exc)
            return False

    def _problem(self, load: UploadLoad) -> str:
        loc, size = load["loc"], load.get("size") or 0
        if loc < 0 or max(loc + len(load["data"]), size) > self._max_bytes:
            return f"it is larger than 'file_recv_max_size', {self._max_bytes >> 20} MiB"
        if not load["path"] or not all(map(_is_name, load["path"])):
            return f"{load['path']!r} is not a path below a folder"
        return ""


def forget_pushed(cachedir: str, id: str) -> None:
    """Remove the files that a minion has pushed; an error is logged."""
    folder = folder_of(cachedir, id)
    try:
        # A link in place of the folder is not followed.
        if os.path.lexists(folder):
            offload(shutil.rmtree, folder)
    except FileNotFoundError:
        return
    except OSError as exc:
        log.error("%s: cannot remove its pushed files: %s", id, exc)


def _is_name(part: Any) -> bool:
    """Return whether a path component is a plain name that does not lead elsewhere."""
    if not isinstance(part, str) or part in ("", os.curdir, os.pardir) or part.startswith(TEMPORARY):
        return False
    return not set(part) & {"/", "\\", "\0"} and len(part.encode("utf-8", "replace")) <= MAX_NAME


def _keep(folder: str, path: list[str], loc: int, piece: bytes, size: int | None) -> bool:
    """Write one piece of a file; rename the file after the last one. Raise OSError."""
    dest = os.path.join(folder, *path)
    parent, name = os.path.split(dest)
    make_private_directory(parent)
    if os.path.realpath(parent) != os.path.realpath(folder) and not is_beneath(folder, parent):
        raise OSError(errno.EPERM, "a link leads out of the folder of the minion", parent)
    part = os.path.join(parent, os.fsdecode(os.fsencode(f"{_PART}{name}")[:MAX_NAME]))
    written = dest if _goes_on(dest, part, loc) else part
    with _opened(written, loc) as file:
        if os.fstat(file.fileno()).st_size != loc:
            raise OSError(errno.EINVAL, f"a piece begins at {loc}, but not at the end of the file", written)
        file.seek(loc)
        file.write(piece)
        if written == dest or size is None or loc + len(piece) < size:
            return True
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, dest)
    return True


def _goes_on(dest: str, part: str, loc: int) -> bool:
    """Return whether a piece continues a complete file, which grew while its minion read it."""
    return loc > 0 and not os.path.lexists(part) and os.path.isfile(dest)


def _opened(path: str, loc: int) -> Any:
    flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    flags |= 0 if loc else os.O_CREAT | os.O_TRUNC
    return os.fdopen(os.open(path, flags, 0o600), "wb")
