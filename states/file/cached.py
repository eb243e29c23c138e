"""States of files in the minion's cache: cached, not_cached.

Source: stock docs of `file.cached`, `file.not_cached`; conformance case `file/not-a-file`.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g import safe_files
from salt_g.api import call, opts, services
from salt_g.errors import CommandExecutionError, SaltGError
from salt_g.formats.urls import is_remote, scheme_of, without_password
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome


def cached(
    name: str,
    source_hash: Any = "",
    source_hash_name: str | None = None,
    skip_verify: bool = False,
    saltenv: str = "base",
    use_etag: bool = False,
    source_hash_sig: Any = None,
    signed_by_any: Any = None,
    signed_by_all: Any = None,
    keyring: str | None = None,
    gnupghome: str | None = None,
    sig_backend: str = "gpg",
) -> StateReturn:
    """Ensure that a URL is in the cache; a local path is only verified.

    A remote source needs `source_hash`, unless `skip_verify` or `use_etag` is set.

    Example::

        https://example.com/app.tgz:
          file.cached:
            - source_hash: 5d41402abc4b2a76b9719d911017c592
    """
    scheme = scheme_of(name)
    if is_remote(name) and not (skip_verify or source_hash or use_etag):
        return failed(
            name,
            f"Unable to verify upstream hash of source file {without_password(name)}, please set source_hash "
            "or set skip_verify or use_etag to True",
        )
    wanted: dict[str, str] = {}
    if source_hash:
        try:
            wanted = call(
                "file.get_source_sum", source=name, source_hash=source_hash,
                source_hash_name=source_hash_name, saltenv=saltenv, source_hash_sig=source_hash_sig,
                signed_by_any=signed_by_any, signed_by_all=signed_by_all, keyring=keyring,
                gnupghome=gnupghome, sig_backend=sig_backend,
            )  # fmt: skip
        except CommandExecutionError as exc:
            return failed(name, str(exc))
    if opts["test"]:
        return _planned(name, saltenv, wanted)
    wanted = {} if skip_verify else wanted
    if scheme in ("", "file"):
        return _local(name, wanted)
    return _fetched(name, saltenv, wanted, use_etag)


def not_cached(name: str, saltenv: str = "base") -> StateReturn:
    """Ensure that a URL is not in the cache; a local path is not removed.

    Example::

        https://example.com/app.tgz:
          file.not_cached
    """
    if scheme_of(name) in ("", "file"):
        return as_wanted(name, f"File {_local_path(name)} is a local path, no action taken")
    path = services().files.is_cached(name, saltenv)
    if not path:
        return as_wanted(name, f"{name} is not cached")
    try:
        safe_files.remove_file(path)
    except OSError as exc:
        return failed(name, f"Failed to delete {path}: {exc}")
    return outcome(name, True, f"{path} was deleted", {"deleted": True})


def _planned(name: str, saltenv: str, wanted: dict[str, str]) -> StateReturn:
    path = services().files.is_cached(name, saltenv)
    if not path:
        said = f"File will be cached: {name}"
    elif not wanted:
        said = f"No hash found. File will be cached: {name}"
    elif _hash(path, wanted) == wanted["hsum"]:
        said = f"File already cached: {name}"
    else:
        said = f"Hashes don't match.\nFile will be cached: {name}"
    return outcome(name, None, said)


def _local(name: str, wanted: dict[str, str]) -> StateReturn:
    path = _local_path(name)
    if not os.path.exists(path):
        return failed(name, f"File {path} is not present on the minion")
    if not wanted:
        return as_wanted(name, f"File {path} is present on the minion")
    found = _hash(path, wanted)
    if found == wanted["hsum"]:
        return as_wanted(name, f"File {path} is present on the minion and has hash {found}")
    return failed(
        name,
        f"File {path} is present on the minion, but the hash ({found}) does not match the specified hash "
        f"({wanted['hsum']})",
    )


def _fetched(name: str, saltenv: str, wanted: dict[str, str], use_etag: bool) -> StateReturn:
    files = services().files
    before = files.is_cached(name, saltenv)
    old = _hash(before, wanted) if before else None
    try:
        path = files.cache_file(name, saltenv, source_hash=wanted.get("hsum"), use_etag=use_etag)
    except (SaltGError, OSError) as exc:
        return failed(name, without_password(str(exc)))
    if not path:
        return failed(
            name, f"Failed to cache {without_password(name)}, check minion log for more information"
        )
    new = _hash(path, wanted)
    changes = {"hash": {"old": old, "new": new}} if old != new else {}
    if not wanted:
        return outcome(name, True, f"File is cached to {path}", changes)
    if new == wanted["hsum"]:
        return outcome(name, True, f"File is already cached to {path} with hash {new}", changes)
    said = (
        f"File is cached to {path}, but the hash ({new}) does not match the specified hash ({wanted['hsum']})"
    )
    return failed(name, said, changes)


def _hash(path: str, wanted: dict[str, str]) -> str:
    kind = wanted.get("hash_type") or opts.get("hash_type") or "sha256"
    return str(call("file.get_hash", path, kind))


def _local_path(name: str) -> str:
    return os.path.realpath(os.path.expanduser(name.removeprefix("file://")))
