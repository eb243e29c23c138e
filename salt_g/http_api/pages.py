"""Files that the HTTP API serves for the settings `app` and `static`.

Only regular files below the directory are served; symbolic links must not lead out of it.
"""

from __future__ import annotations

import email.utils
import mimetypes
import os
import stat
from collections.abc import Sequence
from typing import NamedTuple

from salt_g.http_api.messages import Headers, Refusal, Request, Response
from salt_g.process.offload import offload

#: File in which SaltGUI looks for login modules; the word `CLEAR` in it removes SaltGUI's built-in modules.
SALTGUI_LOGINS = "salt-auth.txt"
_TEXT = "text/plain;charset=utf-8"
_NOSNIFF = ("X-Content-Type-Options", "nosniff")
#: Maximum size of a served file (bytes).
MAX_FILE = 64 * 1024 * 1024


class _File(NamedTuple):
    content: bytes
    changed: float


def serve_for_app(directory: str, rest: str, request: Request, logins: Sequence[str]) -> Response:
    """Return a file below the directory of an app; raise Refusal for other paths.

    A file tells SaltGUI which modules of `external_auth` to offer in its login form; without it, SaltGUI
    guesses. If that file is missing, `logins` are returned in its place.
    """
    try:
        return serve_below(directory, rest, request)
    except Refusal as exc:
        if exc.status != 404 or rest.strip("/") != SALTGUI_LOGINS or not logins:
            raise
        return Response(200, "\n".join(("CLEAR", *logins)).encode(), [("Content-Type", _TEXT), _NOSNIFF])


def serve_below(directory: str, rest: str, request: Request) -> Response:
    """Return a file below a directory; raise Refusal for other paths."""
    top = os.path.realpath(directory)
    path = os.path.realpath(os.path.join(top, rest.lstrip("/")))
    if not path.startswith(top.rstrip("/") + "/"):
        raise Refusal(403, "only files below the directory are served")
    return serve_file(path, request)


def serve_file(path: str, request: Request) -> Response:
    """Return a file; raise Refusal with 404 if it is missing, unreadable, not regular or over `MAX_FILE`."""
    found = offload(_read, path)
    if found is None:
        raise Refusal(404, "there is no such file")
    changed = email.utils.formatdate(found.changed, usegmt=True)
    headers: Headers = [("Last-Modified", changed), _NOSNIFF]
    if request.header("if-modified-since") == changed:
        return Response(304, b"", headers)
    kind, encoding = mimetypes.guess_type(path)
    kind = kind if kind and not encoding else "application/octet-stream"
    if kind.startswith("text/"):
        kind += ";charset=utf-8"
    return Response(200, found.content, [("Content-Type", kind), *headers])


def _read(path: str) -> _File | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_FILE:
            return None
        with open(descriptor, "rb", closefd=False) as file:
            return _File(file.read(MAX_FILE), found.st_mtime)
    finally:
        os.close(descriptor)
