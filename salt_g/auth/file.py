"""Authentication `file`, by passwords in a text file with fields, or in an htpasswd or htdigest file.

Shapes: options are those of stock, in `external_auth: file:` with a `^` in front: `filename`,
`filetype` (text), `hashtype` (plaintext), `field_separator` (:), `username_field` (1),
`password_field` (2), `realm`.
Errors: AuthModuleError for invalid settings or an unusable file.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from salt_g.errors import AuthModuleError
from salt_g.process.offload import offload_in_daemon
from salt_g.shapes import Opts

#: Maximum number of characters read from a password file; the rest is ignored.
_MAX_FILE = 16 * 1024 * 1024
_DEFAULTS = {
    "filetype": "text",
    "hashtype": "plaintext",
    "field_separator": ":",
    "username_field": 1,
    "password_field": 2,
}
#: Prefixes of bcrypt digests, and the number of bytes of a password that bcrypt uses.
_BCRYPT, _BCRYPT_SIZE = ("$2a$", "$2b$", "$2y$"), 72
#: Schemes of passlib by the first three characters of a digest.
_SCHEMES = {"$ap": "apr_md5_crypt", "$1$": "md5_crypt", "$5$": "sha256_crypt", "$6$": "sha512_crypt"}


class Checker:
    """Checker of passwords against one file, which is read at each login."""

    def __init__(self, opts: Opts, options: Mapping[str, Any]) -> None:
        given = {name[1:]: value for name, value in options.items() if str(name).startswith("^")}
        self._options: dict[str, Any] = {**_DEFAULTS, **given}
        if not self._options.get("filename"):
            raise AuthModuleError("file", "external_auth:file:^filename must name the file of passwords")

    def is_right(self, username: str, password: str) -> bool:
        """Return whether the file has this password for the user."""
        kind = str(self._options["filetype"]).lower()
        looks = {"text": self._in_text, "htdigest": self._in_htdigest}
        if kind == "htpasswd":
            kept = offload_in_daemon(self._kept_of, username)
            return kept is not None and _fits_htpasswd(password, kept)
        if kind not in looks:
            raise AuthModuleError("file", f"^filetype must be text, htpasswd or htdigest, not {kind!r}")
        # The file may be long, and password digests are slow by design.
        return offload_in_daemon(looks[kind], username, password)

    def groups(self, username: str) -> list[str]:
        """Return no groups."""
        return []

    def permissions(self, username: str, password: str) -> list[Any] | None:
        """Return None, so that the settings decide."""
        return None

    def _in_text(self, username: str, password: str) -> bool:
        user_at, password_at = int(self._options["username_field"]), int(self._options["password_field"])
        for fields in self._lines(str(self._options["field_separator"])):
            if min(user_at, password_at) < 1 or max(user_at, password_at) > len(fields):
                raise AuthModuleError(
                    "file",
                    f"^username_field and ^password_field must be from 1 to {len(fields)}, the number of"
                    f" fields in a line of {self._options['filename']}",
                )
            if fields[user_at - 1] == username:
                return _same(self._digested(password), fields[password_at - 1])
        return False

    def _digested(self, password: str) -> str:
        kind = str(self._options["hashtype"]).lower()
        if kind == "plaintext":
            return password
        if kind not in hashlib.algorithms_available:
            raise AuthModuleError("file", f"^hashtype {kind!r} is not a supported digest")
        return hashlib.new(kind, password.encode()).hexdigest()

    def _in_htdigest(self, username: str, password: str) -> bool:
        realm = self._options.get("realm")
        if not realm:
            raise AuthModuleError("file", "^realm must be set for ^filetype htdigest")
        # The file format requires MD5.
        digest = hashlib.md5(f"{username}:{realm}:{password}".encode(), usedforsecurity=False).hexdigest()
        for fields in self._lines(":"):
            if fields[:2] == [username, str(realm)] and len(fields) == 3:
                return _same(digest, fields[2])
        return False

    def _kept_of(self, username: str) -> str | None:
        """Return the stored hash of a user in htpasswd, or None for an unknown user."""
        found = (fields[1] for fields in self._lines(":") if fields[0] == username and len(fields) >= 2)
        return next(found, None)

    def _lines(self, separator: str) -> Iterator[list[str]]:
        try:
            with open(self._options["filename"], encoding="utf-8", errors="surrogateescape") as file:
                text = file.read(_MAX_FILE)
        except OSError as exc:
            raise AuthModuleError("file", f"{self._options['filename']}: {exc.strerror}") from exc
        for line in text.splitlines():
            if line.strip():
                yield line.strip().split(separator)


def _fits_htpasswd(password: str, kept: str) -> bool:
    if kept.startswith("{SHA}"):
        digest = hashlib.sha1(password.encode(), usedforsecurity=False).digest()
        return _same("{SHA}" + base64.b64encode(digest).decode(), kept)
    try:
        # Imported lazily, because only the other formats need these optional libraries; and not in the
        # thread, where the import would be slow.
        if kept.startswith(_BCRYPT):
            import bcrypt

            # Longer passwords are truncated, as htpasswd itself does.
            return offload_in_daemon(bcrypt.checkpw, password.encode()[:_BCRYPT_SIZE], kept.encode())
        scheme = getattr(importlib.import_module("passlib.hash"), _SCHEMES.get(kept[:3], "des_crypt"))
    except ImportError:
        raise AuthModuleError("file", "^filetype htpasswd needs `pip install salt-g[htpasswd]`") from None
    return bool(offload_in_daemon(scheme.verify, password, kept))


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(
        one.encode("utf-8", "surrogateescape"), other.encode("utf-8", "surrogateescape")
    )
