"""Verification of downloads by their signatures, through the backend's execution module (`gpg`)."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from salt_g.api import call, has, opts, services
from salt_g.errors import CommandExecutionError, SaltGError


def check_signature(
    path: str, signature: Any, saltenv: str, verify_ssl: bool, backend: str, **signers: Any
) -> None:
    """Verify a file by detached signatures (paths or URLs), or with True by its inline signature.

    `signers` are `signed_by_any`, `signed_by_all`, `keyring`, `gnupghome`. If the signature is not valid,
    removes cached copies of the file and its signatures, and raises CommandExecutionError.
    """
    if not has(f"{backend}.verify"):
        raise CommandExecutionError(
            f"Signature verification requires the {backend} module, which could not be found. "
            "Make sure you have the necessary tools and libraries intalled"
        )
    given = None if signature is True else signature
    cached = _cached(given, saltenv, verify_ssl, backend)
    detached = cached[0] if isinstance(given, str) else (cached or None)
    answer = call(f"{backend}.verify", filename=path, signature=detached, **signers)
    if answer["res"] is True:
        return
    for used in [*cached, path]:
        # Remove only cached files, never a file of the user.
        if used.startswith(os.path.join(opts["cachedir"], "")):
            with contextlib.suppress(OSError):
                os.remove(used)
    raise CommandExecutionError(f"The file's signature could not be verified: {answer['message']}")


def _cached(given: Any, saltenv: str, verify_ssl: bool, backend: str) -> list[str]:
    """Return the signatures as local paths; with backends other than gpg, keep one that is not a file."""
    found: list[str] = []
    for signature in [given] if isinstance(given, str) else list(given or ()):
        try:
            path = services().files.cache_file(signature, saltenv, verify_ssl=verify_ssl)
        except SaltGError:
            path = ""
        if not path and backend == "gpg":
            raise CommandExecutionError(f"Detached signature file {signature} not found")
        found.append(path or signature)
    return found
