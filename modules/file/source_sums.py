"""Which hash a source must have: from a hash, `type=hash`, or a file that lists hashes.

Errors: CommandExecutionError with a text that names the forms that are understood.
Source: stock docs of `file.managed`, `source_hash`.
"""

from __future__ import annotations

import os
import re
import string
from typing import NoReturn

from salt_g.modules.file.hashes import HASH_OF_LENGTH, HASHES, known_lengths
from salt_g.modules.file.signatures import check_signature
from salt_g.modules.file.urls import REMOTE, redacted, scheme_of

from salt_g.api import services
from salt_g.errors import CommandExecutionError

_LISTED = ("salt", "file", *REMOTE)
_SHORTEST, _LONGEST = min(HASH_OF_LENGTH), max(HASH_OF_LENGTH)


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
    """Return {"hsum": hex digits, "hash_type": name} of what `source_hash` says.

    A path or URL is a file that lists hashes: the line that names `source_hash_name`, `file_name` or
    `source` counts. The file's signature is checked first when `source_hash_sig` asks for it.

    Example::

        salt-g file.get_source_sum /tmp/a.tgz source_hash=499ae16dcae71eeb7c3a30c75ea7a1a6
    """
    if not isinstance(source_hash, str):
        _refuse(source_hash)
    scheme = scheme_of(source_hash)
    if os.path.isabs(source_hash) or scheme in _LISTED:
        path = source_hash
        if not os.path.isabs(source_hash):
            path = services().files.cache_file(source_hash, saltenv, verify_ssl=verify_ssl)
        if not path:
            raise CommandExecutionError(f"Source hash file {redacted(source_hash)} not found")
        if source_hash_sig and not os.path.isabs(source_hash):
            check_signature(
                path, source_hash_sig, saltenv, verify_ssl, sig_backend, signed_by_any=signed_by_any,
                signed_by_all=signed_by_all, keyring=keyring, gnupghome=gnupghome,
            )  # fmt: skip
        found = extract_hash(path, "", file_name, source, source_hash_name) or _refuse(source_hash)
        return {**found, "hsum": found["hsum"].lower()}
    if scheme:
        _refuse(source_hash)
    return _stated(source_hash)


def extract_hash(
    hash_fn: str,
    hash_type: str = "sha256",
    file_name: str = "",
    source: str = "",
    source_hash_name: str | None = None,
) -> dict[str, str] | None:
    """Return the hash that a file of hashes gives for a name; None when it holds no hash at all.

    Lines that name `source_hash_name` win, then `file_name`, then `source`, then the first hash.

    Example::

        salt-g file.extract_hash /tmp/SHA256SUMS sha256 file_name=/tmp/a.tgz
    """
    length = str(HASHES.get(hash_type, f"{_SHORTEST},{_LONGEST}"))
    wanted = re.compile(r"(?i)(?<![a-z0-9])([a-f0-9]{" + length + r"})(?![a-z0-9])")
    names = _sought(source_hash_name, file_name, source)
    best: tuple[int, dict[str, str]] | None = None
    with open(hash_fn, encoding="utf-8", errors="replace") as file:
        for line in map(str.strip, file):
            found = wanted.search(line)
            if found is None or len(found.group(1)) not in HASH_OF_LENGTH:
                continue
            rank = next((rank for rank, name in enumerate(names) if name.search(line)), len(names))
            if best is None or rank < best[0]:
                digits = found.group(1)
                best = rank, {"hsum": digits, "hash_type": HASH_OF_LENGTH[len(digits)]}
    return best[1] if best else None


def _sought(hash_name: str | None, file_name: str, source: str) -> list[re.Pattern[str]]:
    """Return expressions that find the names in a line, the strongest first."""
    names: list[re.Pattern[str]] = []
    if hash_name:
        names.append(_naming(str(hash_name), str(hash_name), separators=r"\s"))
    for whole in (str(file_name or ""), str(source or "")):
        if whole:
            names.append(_naming(whole, os.path.basename(whole.partition("?")[0]), separators=r"\s\\/*"))
    return names


def _naming(whole: str, last: str, *, separators: str) -> re.Pattern[str]:
    return re.compile(rf"[{separators}]{re.escape(last)}$|^{re.escape(whole)}\s")


def _stated(source_hash: str) -> dict[str, str]:
    hash_type, separator, digits = (part.strip() for part in source_hash.partition("="))
    if not separator:
        digits, hash_type = source_hash, HASH_OF_LENGTH.get(len(source_hash), "")
        if not hash_type or set(source_hash) - set(string.hexdigits):
            _refuse(source_hash)
    if hash_type not in HASHES:
        raise CommandExecutionError(
            f"Invalid hash type '{hash_type}'. Supported hash types are: {', '.join(HASHES)}. Either remove "
            f"the hash type and simply use '{digits}' as the source_hash, or change the hash type to a "
            "supported type."
        )
    if len(digits) not in HASH_OF_LENGTH:
        _refuse(source_hash)
    if len(digits) != HASHES[hash_type]:
        raise CommandExecutionError(
            f"Invalid length ({len(digits)}) for hash type '{hash_type}'. Either remove the hash type and "
            f"simply use '{digits}' as the source_hash, or change the hash type to "
            f"'{HASH_OF_LENGTH[len(digits)]}'"
        )
    return {"hsum": digits.lower(), "hash_type": hash_type}


def _refuse(source_hash: object) -> NoReturn:
    raise CommandExecutionError(
        f"Source hash {redacted(str(source_hash))} format is invalid. The supported formats are: 1) a hash, "
        "2) an expression in the format <hash_type>=<hash>, or 3) either a path to a local file containing "
        "hashes, or a URI of a remote hash file. Supported protocols for remote hash files are: "
        f"{', '.join(_LISTED)}. The hash may also not be of a valid length, the following are supported hash "
        f"types and lengths: {known_lengths()}."
    )
