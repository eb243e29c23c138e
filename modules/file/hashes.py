"""Hashes of file content, and the hash type of a hex text."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from salt_g.errors import InvocationError
from salt_g.formats.hashfile import TYPE_OF_LENGTH
from salt_g.process.offload import offload_large

#: Bytes read at a time.
CHUNK_SIZE = 65536


def get_hash(path: str, form: str = "sha256", chunk_size: int = CHUNK_SIZE) -> str:
    """Return the hash of a file's content as hex digits; `form` is md5, sha1, sha256, ....

    Raises ValueError for an unknown `form`, OSError when the file cannot be read.

    Example::

        salt-g file.get_hash /etc/passwd sha512
    """
    make = getattr(hashlib, form, None)
    if make is None:
        raise ValueError(f"Invalid hash type: {form}")
    path = os.path.expanduser(path)
    return offload_large(os.stat(path).st_size, _digest, make(), path, chunk_size)


def get_sum(path: str, form: str = "sha256") -> str:
    """Return the hash of a file's content, `File not found` if it is missing.

    Example::

        salt-g file.get_sum /etc/passwd md5
    """
    path = os.path.expanduser(path)
    return get_hash(path, form) if os.path.isfile(path) else "File not found"


def check_hash(path: str, file_hash: str) -> bool:
    """Return whether a file has this hash, given as `sha256:…`, `sha256=…` or plain hex digits.

    Example::

        salt-g file.check_hash /etc/fstab md5:bca1d8ad1d9d6f9a4a3f5a0f3b8f2a3c
    """
    if not isinstance(file_hash, str):
        raise InvocationError("hash must be a string")
    for separator in (":", "="):
        if separator in file_hash:
            form, wanted = file_hash.split(separator, 1)
            return get_hash(path, form) == wanted
    if len(file_hash) not in TYPE_OF_LENGTH:
        lengths = ", ".join(f"{TYPE_OF_LENGTH[length]} ({length})" for length in sorted(TYPE_OF_LENGTH))
        raise InvocationError(
            f"Hash {file_hash} (length: {len(file_hash)}) could not be matched to a supported hash type. "
            f"The supported hash types and lengths are: {lengths}"
        )
    return get_hash(path, TYPE_OF_LENGTH[len(file_hash)]) == file_hash


def _digest(digest: Any, path: str, chunk_size: int) -> str:
    with open(path, "rb") as file:
        while chunk := file.read(chunk_size):
            digest.update(chunk)
    return str(digest.hexdigest())
