"""Downloads by http(s).

Kept apart from the file client because urllib and ssl are slow to import.
Units: seconds. Errors: FileServerError with the error of the server or the network.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import logging
import os
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

from salt_g.errors import FileServerError
from salt_g.files.atomic_write import placed
from salt_g.files.hashes import hash_of
from salt_g.formats.hashfile import LENGTHS
from salt_g.formats.urls import without_password
from salt_g.net.tls import client_context
from salt_g.net.web_proxy import WebProxy
from salt_g.process.disk import write_whole

log = logging.getLogger(__name__)

#: Maximum time without data from a server (s).
TIMEOUT = 60


def download(
    url: str, dest: str, *, mode: int, web: WebProxy, verify_ssl: bool = True, use_etag: bool = False
) -> None:
    """Fetch `url` into the file `dest`; with `use_etag` only when the server has a newer version."""
    etag_path = f"{dest}.etag"
    request = _request(url)
    if use_etag and os.path.exists(dest) and os.path.exists(etag_path):
        with open(etag_path, encoding="utf-8") as file:
            request.add_header("If-None-Match", file.read().strip())
    with _answer(request, web=web, verify_ssl=verify_ssl) as answer:
        if answer is None:
            log.debug("file %s: unchanged on its server", _place(request))
            return
        with placed(dest, mode=mode) as file:
            shutil.copyfileobj(answer, file)
            # Reading in pieces does not notice that the connection ended early.
            if answer.length:
                raise ConnectionResetError(f"the connection ended {answer.length} bytes early")
        if use_etag and answer.headers.get("ETag"):
            write_whole(etag_path, answer.headers["ETag"])
    log.debug("file %s: downloaded to %s", _place(request), dest)


def has_hash(path: str, source_hash: str | None) -> bool:
    """Return whether a file exists and has the hash `<type>=<hash>` or `<hash>`."""
    hsum = (source_hash or "").rpartition("=")[2].lower()
    hash_type = next((name for name, length in LENGTHS.items() if length == len(hsum)), None)
    return hash_type is not None and os.path.isfile(path) and hash_of(path, hash_type) == hsum


def _malformed(place: str) -> FileServerError:
    return FileServerError(
        f"Error: {place} is not a valid URL; percent-encode %, @, / and ? in a password;"
        " the port must be a number"
    )


def _request(url: str) -> urllib.request.Request:
    """Return a request; credentials in the URL are moved to a header."""
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        # The error's own text may quote the password.
        raise _malformed(without_password(url)) from None
    if parts.username is None:
        return urllib.request.Request(url, headers={"User-Agent": "salt-g"})
    user, password = urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    secret = base64.b64encode(f"{user}:{password}".encode()).decode()
    return urllib.request.Request(bare, headers={"User-Agent": "salt-g", "Authorization": f"Basic {secret}"})


def _place(request: urllib.request.Request) -> str:
    """Return the URL for messages: without the query, which may contain keys, and without a password."""
    return without_password(request.full_url).partition("?")[0]


@contextlib.contextmanager
def _answer(request: urllib.request.Request, *, web: WebProxy, verify_ssl: bool) -> Iterator[Any]:
    """Yield the server's response, or None when the file is unchanged."""
    secure = urllib.request.HTTPSHandler(context=client_context(verify=verify_ssl))
    opener = urllib.request.build_opener(secure, web.handler(request.full_url))
    place = _place(request)
    started = time.monotonic()
    try:
        with opener.open(request, timeout=TIMEOUT) as answer:
            yield answer
    except urllib.error.HTTPError as exc:
        exc.close()  # The exception holds the connection.
        if exc.code != 304:
            raise FileServerError(f"Error: HTTP {exc.code}: {exc.reason} reading {place}") from exc
        yield None
    except http.client.InvalidURL:
        # The error's own text quotes the assumed port, which is a part of the password if that contains `/`
        # or `?`.
        raise _malformed(place) from None
    except TimeoutError as exc:
        raise FileServerError(f"Error: no answer within {TIMEOUT} s reading {place}") from exc
    except (urllib.error.URLError, http.client.HTTPException, ConnectionError) as exc:
        reason = getattr(exc, "reason", None) or exc
        waited = time.monotonic() - started
        raise FileServerError(f"Error: {reason} reading {place}, waited {waited:.1f} s") from exc
