"""Cache of compiled templates on disk, for the next command.

Jinja's compiler takes most of the time of compiling a tree of formulas, and a command is short-lived. Only
templates in the file cache are stored, because their texts are on this disk anyway.
Shapes: one file per template, named by the hash of everything that its code depends on; a digest, then
marshalled code.
Errors: none. A file that cannot be read, is broken, or is in a directory that others can write to is ignored
and its template compiled; failed writes are ignored.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import stat
import sys
from collections.abc import Mapping
from types import CodeType
from typing import Any

import jinja2

from salt_g import __version__
from salt_g.process import disk

#: Maximum number of stored templates; beyond that, the older half is removed.
MAX_TEMPLATES = 4000
#: Minimum length of a stored text, because a shorter one is compiled faster than its code is read
#: (characters).
_MIN_LENGTH = 120
_DIGEST_SIZE = hashlib.sha256().digest_size
#: Versions on which the compiled code depends.
_VERSIONS = (__version__, jinja2.__version__, sys.implementation.cache_tag, sys.version_info[:3])
#: Directories that this process has checked and found safe.
_trusted: dict[str, bool] = {}


def directory_for(opts: Mapping[str, Any], path: str) -> str:
    """Return the directory for code of the template at `path`; "" if none is usable."""
    cachedir = str(opts.get("cachedir") or "")
    return os.path.join(cachedir, "jinja") if cachedir and path.startswith(f"{cachedir}/files/") else ""


def load(directory: str, text: str, about: tuple[Any, ...]) -> CodeType | None:
    """Return the stored code of a text, None if there is no valid one; `about` is what else it depends on."""
    if len(text) < _MIN_LENGTH or not _is_trusted(directory):
        return None
    try:
        with open(_path(directory, text, about), "rb") as file:
            kept = file.read()
    except OSError:
        return None
    digest, data = kept[:_DIGEST_SIZE], kept[_DIGEST_SIZE:]
    if hashlib.sha256(data).digest() != digest:
        return None
    code = marshal.loads(data)  # noqa: S302 - a file of our own cache
    return code if isinstance(code, CodeType) else None


def store(directory: str, text: str, about: tuple[Any, ...], code: CodeType) -> None:
    """Store the code of a text, unless the text is short or the directory cannot be used."""
    if len(text) < _MIN_LENGTH:
        return
    try:
        if not os.path.isdir(directory):
            disk.make_private_directory(directory)
            _trusted.pop(directory, None)
        if _is_trusted(directory):
            _write(_path(directory, text, about), marshal.dumps(code))
    except OSError:
        return


def _is_trusted(directory: str) -> bool:
    """Return whether only our user can write to the directory, since its files are executed; cached."""
    if directory not in _trusted:
        try:
            found = os.stat(directory, follow_symlinks=False)
        except OSError:
            return False
        is_private = found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o022
        _trusted[directory] = stat.S_ISDIR(found.st_mode) and is_private
        if _trusted[directory]:
            _forget_older(directory)
    return _trusted[directory]


def _forget_older(directory: str) -> None:
    with os.scandir(directory) as entries:
        files = list(entries)
    if len(files) <= MAX_TEMPLATES:
        return
    for entry in sorted(files, key=lambda entry: entry.stat().st_mtime)[: len(files) // 2]:
        with contextlib.suppress(OSError):
            os.unlink(entry.path)


def _path(directory: str, text: str, about: tuple[Any, ...]) -> str:
    name = hashlib.sha256(repr((_VERSIONS, about)).encode() + b"\0" + text.encode("utf-8", "surrogatepass"))
    return os.path.join(directory, name.hexdigest())


def _write(path: str, data: bytes) -> None:
    """Write a file; its digest shows whether it is complete and intact."""
    whole = hashlib.sha256(data).digest() + data
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, disk.PRIVATE_FILE)
    try:
        is_whole = os.write(descriptor, whole) == len(whole)
    except OSError:
        is_whole = False
    finally:
        os.close(descriptor)
    if not is_whole:
        with contextlib.suppress(OSError):
            os.unlink(path)
