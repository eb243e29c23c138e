"""Files of the master and of URLs, fetched and rendered on the managing minion.

Hosts cannot reach the file server, but their managing minion can. Templates see the host's grains and pillar.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import services
from salt_g.errors import CommandExecutionError
from salt_g.process.offload import offload_large

ENGINES = ("jinja", "mako", "py")
_BY_LENGTH = {32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}


def cached_path(url: str, saltenv: str, **options: Any) -> str:
    """Return the path of a source's copy on the managing minion, or '' if the source does not exist."""
    return services().files.cache_file(url, saltenv, **options)


def cached_bytes(url: str, saltenv: str) -> bytes | None:
    """Return the content of a source, or None if it does not exist."""
    path = cached_path(url, saltenv)
    return read(path) if path and os.path.isfile(path) else None


def read(path: str) -> bytes:
    """Return the content of a file of the managing minion."""
    return offload_large(os.stat(path).st_size, _read, path)


def rendered(text: str, engine: str, saltenv: str, variables: Mapping[str, Any]) -> str:
    """Return a text rendered as a template for the host.

    Raises RenderError; CommandExecutionError for an unknown engine.
    """
    if engine not in ENGINES:
        raise CommandExecutionError(f"Specified template format {engine} is not supported")
    return services().render.render_template(text, engine=engine, saltenv=saltenv, context=variables)


def check_hash(content: bytes, wanted: str, name: str) -> None:
    """Check content against `kind=digest` or a hex digest; raises CommandExecutionError if they differ."""
    kind, equals, digest = wanted.partition("=")
    if not equals:
        kind, digest = _BY_LENGTH.get(len(wanted), ""), wanted
    if kind.lower() not in hashlib.algorithms_available:
        raise CommandExecutionError(f"Source hash {wanted} format is invalid: use a digest or kind=digest")
    actual = hashlib.new(kind.lower(), content).hexdigest()
    if actual != digest.strip().lower():
        raise CommandExecutionError(
            f"Specified {kind} checksum for {name} ({digest}) does not match actual checksum ({actual})"
        )


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
