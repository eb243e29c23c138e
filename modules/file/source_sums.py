"""Expected hash of a source: from a hash, `type=hash`, or a file of hashes.

Errors: CommandExecutionError with a text that names the valid forms.
Source: stock docs of `file.managed`, `source_hash`.
"""

from __future__ import annotations

import os

from salt_g.api import services
from salt_g.errors import CommandExecutionError, FileServerError
from salt_g.formats import hashfile
from salt_g.formats.urls import without_password
from salt_g.modules.file.signatures import check_signature


def get_source_sum(
    file_name: str = "",
    source: str = "",
    source_hash: str | None = None,
    source_hash_name: str | None = None,
    saltenv: str = "base",
    verify_ssl: bool = True,
    source_hash_sig: str | bool | None = None,
    signed_by_any: str | list[str] | None = None,
    signed_by_all: str | list[str] | None = None,
    keyring: str | None = None,
    gnupghome: str | None = None,
    sig_backend: str = "gpg",
) -> dict[str, str]:
    """Return {"hsum": hex digits, "hash_type": name} for `source_hash`.

    A path or URL is a file that lists hashes: the line that names `source_hash_name`, `file_name` or `source`
    is used, else the first hash. With `source_hash_sig`, the signature of that file is verified first.

    Example::

        salt-g file.get_source_sum /tmp/a.tgz source_hash=499ae16dcae71eeb7c3a30c75ea7a1a6
    """
    if not isinstance(source_hash, str) or not hashfile.is_hash_file(source_hash):
        return hashfile.parse_expression(source_hash or "").as_dict()
    path = source_hash
    if not os.path.isabs(source_hash):
        try:
            path = services().files.cache_file(source_hash, saltenv, verify_ssl=verify_ssl)
        except FileServerError as exc:
            raise CommandExecutionError(str(exc)) from exc
        if not path:
            raise CommandExecutionError(f"Source hash file {without_password(source_hash)} not found")
    if source_hash_sig:
        check_signature(
            path, source_hash_sig, saltenv, verify_ssl, sig_backend, signed_by_any=signed_by_any,
            signed_by_all=signed_by_all, keyring=keyring, gnupghome=gnupghome,
        )  # fmt: skip
    found = extract_hash(path, "", file_name, source, source_hash_name)
    if found is None:
        raise CommandExecutionError(hashfile.invalid_format(source_hash))
    return found


def extract_hash(
    hash_fn: str,
    hash_type: str = "sha256",
    file_name: str = "",
    source: str = "",
    source_hash_name: str | None = None,
) -> dict[str, str] | None:
    """Return {"hsum", "hash_type"} for a name in a file of hashes; None if the file has no hash of this type.

    Lines with `source_hash_name` take precedence, then `file_name`, then `source`, then the first hash.

    Example::

        salt-g file.extract_hash /tmp/SHA256SUMS sha256 file_name=/tmp/a.tgz
    """
    wanted = hashfile.Wanted(str(source_hash_name or ""), str(file_name or ""), str(source or ""))
    with open(hash_fn, encoding="utf-8", errors="replace") as file:
        found = hashfile.find_in_lines(file, wanted, hash_type=hash_type)
    return None if found is None else {"hsum": found.hsum, "hash_type": found.hash_type}
