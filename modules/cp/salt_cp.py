"""Files sent by a master along with a command (`salt-cp`)."""

from __future__ import annotations

import base64
import gzip
import os
from collections.abc import Mapping

from salt_g import safe_files
from salt_g.api import scratch


def recv(files: Mapping[str, str], dest: str) -> dict[str, bool] | str:
    """Write files, {path: content}, to `dest`; return {path of the copy: whether it was written}.

    Returns an error text if `dest` is neither a directory nor a possible path for a file. Used by
    `salt-g cp`, not meant for direct calls.

    Example::

        salt-g cp.recv '{/tmp/greeting: hello}' /tmp
    """
    written = {}
    for path, content in files.items():
        target = _target(path, dest)
        if not target:
            return "Destination unavailable"
        try:
            with open(target, "w", encoding="utf-8", newline="", opener=safe_files.opener) as file:
                file.write(content)
            written[target] = True
        except OSError:
            written[target] = False
    return written


def recv_chunked(
    dest: str, chunk: str | None, append: bool = False, compressed: bool = True, mode: int | None = None
) -> bool | str:
    """Write one chunk of a file (base64) to `dest`; if the chunk is None, create the directory `dest`.

    `compressed` chunks are gzip data, `append` adds the chunk to the end of the file, `mode` is a number and
    set only without `append`. Returns True, or the text of the error.

    Example::

        salt-g cp.recv_chunked /tmp/greeting chunk=aGVsbG8= compressed=False
    """
    scratch.setdefault("retcode", 0)
    try:
        if chunk is None:
            return _made_directory(dest)
        data = base64.b64decode(chunk)
        _write(dest, gzip.decompress(data) if compressed else data, append)
        if mode is not None and not append:
            safe_files.change_mode(dest, mode)
    except OSError as exc:
        scratch["retcode"] = 1
        return str(exc)
    return True


def _target(path: str, dest: str) -> str:
    """Return the destination path of a file, or '' if `dest` is invalid for it."""
    if os.path.isdir(dest):
        return os.path.join(dest, os.path.basename(path))
    if os.path.basename(path) == os.path.basename(dest) or os.path.isdir(os.path.dirname(dest)):
        return dest
    return ""


def _made_directory(dest: str) -> bool | str:
    if os.path.isfile(dest):
        return "Path exists and is a file"
    safe_files.make_directories(dest)
    return True


def _write(dest: str, data: bytes, append: bool) -> None:
    safe_files.make_directories(os.path.dirname(dest) or ".")
    with open(dest, "ab" if append else "wb", opener=safe_files.opener) as file:
        file.write(data)
