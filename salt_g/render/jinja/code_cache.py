"""Compiled templates on disk, so that the next command does not compile them again.

Why its own file: most of the time of compiling a tree of formulas goes into Jinja's compiler, and a
command lives once. Only templates that lie in the file cache are kept, whose texts are on this disk anyway.
Shapes: a file for each template, named by all that its code depends on; a digest, then marshalled code.
Errors: none; what cannot be read, is broken or not ours is compiled, what cannot be written is not kept.
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

#: How many templates are kept; with one more the older half is forgotten.
MAX_TEMPLATES = 4000
#: Shorter texts are compiled sooner than read (characters).
_WORTH_KEEPING = 120
_DIGEST_SIZE = hashlib.sha256().digest_size
#: Code of other versions is another's.
_VERSIONS = (__version__, jinja2.__version__, sys.implementation.cache_tag, sys.version_info[:3])
#: Directories that this process has looked at: those that may be used.
_trusted: dict[str, bool] = {}


def directory_for(opts: Mapping[str, Any], path: str) -> str:
    """Return where code of the template at `path` may be kept; "" for nowhere."""
    cachedir = str(opts.get("cachedir") or "")
    return os.path.join(cachedir, "jinja") if cachedir and path.startswith(f"{cachedir}/files/") else ""


def load(directory: str, text: str, about: tuple[Any, ...]) -> CodeType | None:
    """Return kept code of a text; `about` is what else the code depends on. None when there is none."""
    if len(text) < _WORTH_KEEPING or not _is_ours(directory):
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


def keep(directory: str, text: str, about: tuple[Any, ...], code: CodeType) -> None:
    """Keep the code of a text."""
    if len(text) < _WORTH_KEEPING:
        return
    try:
        if not os.path.isdir(directory):
            disk.make_private_directory(directory)
            _trusted.pop(directory, None)
        if _is_ours(directory):
            _write(_path(directory, text, about), marshal.dumps(code))
    except OSError:
        return


def _is_ours(directory: str) -> bool:
    """Return whether nobody else can write to the directory, since its files are run; look once."""
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
    """Write a file; one that is broken, or not yet whole, is known by its digest."""
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
