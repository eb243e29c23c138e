"""Files of the page, read and compressed once at the start, and the responses that carry them.

Shapes: files are named by their path below `static/`. Their URLs begin with the digest of all files, so that
a browser can keep them for a year and never mixes two versions; imports between files are relative.
Units: seconds.
"""

from __future__ import annotations

import gzip
import hashlib
import pathlib
from collections.abc import Mapping
from typing import NamedTuple

from salt_g.http_api.messages import Headers, Refusal, Request, Response
from salt_g.http_api.negotiation import HTML, accepts_gzip

#: First path segment of the files' URLs, and name of the page's own file.
PREFIX, INDEX = "/page", "index.html"
#: Placeholder in the page for the directory of its files.
_DIRECTORY = b"{files}"
#: Content security policy: the page may load only its own files, call only its own API, and not be framed.
_POLICY = "; ".join(
    (
        *("default-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"),
        *("object-src 'none'", "require-trusted-types-for 'script'", "trusted-types lit-html"),
    )
)
_SAFE: Headers = [
    ("Content-Security-Policy", _POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
_KEPT = "public, max-age=31536000, immutable"
_KINDS = {
    "LICENSE": "text/plain;charset=utf-8",
    "css": "text/css;charset=utf-8",
    "html": f"{HTML};charset=utf-8",
    "js": "text/javascript;charset=utf-8",
    "mjs": "text/javascript;charset=utf-8",
    "svg": "image/svg+xml",
}


class PageFile(NamedTuple):
    """File, plain and compressed, with content type and entity tag."""

    kind: str
    content: bytes
    compressed: bytes
    tag: str


class PageFiles:
    """All files of the page."""

    def __init__(self) -> None:
        contents = _read(pathlib.Path(__file__).with_name("static"))
        self._directory = f"{PREFIX}/{_digest_of(contents)}"
        index = contents.pop(INDEX).replace(_DIRECTORY, self._directory.lstrip("/").encode())
        self._index = _file(INDEX, index)
        self._files = {name: _file(name, content) for name, content in contents.items()}

    def index(self, request: Request) -> Response:
        """Return the page, or a redirect if the path lacks the final slash that relative URLs need."""
        if not request.path.endswith("/"):
            place = request.path.rpartition("/")[2]
            return Response(302, b"", [("Location", f"{place}/"), ("Vary", "Accept")])
        return _response(self._index, request, [("Cache-Control", "no-cache"), *_SAFE])

    def file(self, path: str, request: Request) -> Response | None:
        """Return the response with a file of the page, or None if the path is not below `PREFIX`.

        Raises Refusal with 404 for an unknown file.
        """
        if not path.startswith(f"{PREFIX}/"):
            return None
        found = self._files.get(path.removeprefix(f"{self._directory}/"))
        if found is None:
            raise Refusal(404, "the page has no such file; reload the page, salt-g may have been upgraded")
        return _response(found, request, [("Cache-Control", _KEPT), *_SAFE])


def _response(file: PageFile, request: Request, more: Headers) -> Response:
    headers = [("ETag", file.tag), ("Vary", "Accept, Accept-Encoding"), *more]
    if file.tag in (one.strip() for one in request.header("if-none-match").split(",")):
        return Response(304, b"", headers)
    headers.append(("Content-Type", file.kind))
    if not accepts_gzip(request.header("accept-encoding")):
        return Response(200, file.content, headers)
    return Response(200, file.compressed, [*headers, ("Content-Encoding", "gzip")])


def _file(name: str, content: bytes) -> PageFile:
    # A weak tag, because it stands for the plain and the compressed form.
    tag = f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'
    return PageFile(_KINDS[_ending(name)], content, gzip.compress(content, 9, mtime=0), tag)


def _read(directory: pathlib.Path) -> dict[str, bytes]:
    """Return the content of each file that a browser can request, by path."""
    found = (path for path in directory.rglob("*") if path.is_file() and _ending(path.name) in _KINDS)
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}


def _digest_of(contents: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name in sorted(contents):
        whole.update(f"{name}\0{len(contents[name])}\0".encode() + contents[name])
    return whole.hexdigest()[:12]


def _ending(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[2]
