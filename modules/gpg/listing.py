"""Keys of a keyring, a file or a text.

Shapes: {"keyid", "uids", "fingerprint", "created", "keyLength", "ownerTrust", "trust", "subkeys"}, for keys
with an expiry also "expires" and "expired", for subkeys no "uids"; days are `2030-01-31` in local time,
lengths are text, unknown fields are left out.
Source: doc/DETAILS of GnuPG, "Format of the colon listings".
"""

from __future__ import annotations

import re
import time
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.gpg.program import Keychain, keychain, prepared, run

#: Meanings of the letters of validity and trust; any other letter is "Unknown".
_TRUST = {
    "e": "Expired",
    "n": "Not Trusted",
    "m": "Marginally Trusted",
    "f": "Fully Trusted",
    "u": "Ultimately Trusted",
    "r": "Revoked",
}
#: Lengths of ids and fingerprints: short, long, version 4, version 5.
_ID_LENGTHS = (8, 16, 40, 64)
_ESCAPED = re.compile(r"\\x([0-9a-fA-F]{2})")


class Key(NamedTuple):
    """Key of a listing, as text; missing fields are "". A subkey has None for `uids`."""

    keyid: str
    fingerprint: str
    uids: list[str] | None
    length: str
    created: str
    expires: str
    owner_trust: str
    trust: str
    subkeys: list[Key]

    def matches(self, keyid: str | None, fingerprint: str | None) -> bool:
        """Return whether the key has this id (long, short or a whole fingerprint) or this fingerprint."""
        asked = [plain(name) for name in (keyid, fingerprint) if name]
        ours = self.fingerprint or self.keyid
        return any(len(name) in _ID_LENGTHS and ours.endswith(name) for name in asked)

    def shown(self) -> dict[str, Any]:
        """Return the key in the form of results."""
        made: dict[str, Any] = {"keyid": self.keyid}
        if self.uids is not None:
            made["uids"] = self.uids
        if self.fingerprint:
            made["fingerprint"] = self.fingerprint
        if self.expires:
            made["expires"] = _day(self.expires)
            made["expired"] = time.time() >= float(self.expires)
        if self.created:
            made["created"] = _day(self.created)
        if self.length:
            made["keyLength"] = self.length
        if self.owner_trust:
            made["ownerTrust"] = _TRUST.get(self.owner_trust, "Unknown")
        if self.trust:
            made["trust"] = _TRUST.get(self.trust, "Unknown")
        if self.subkeys:
            made["subkeys"] = [key.shown() for key in self.subkeys]
        return made


def list_keys(
    user: str | None = None, gnupghome: str | None = None, keyring: str | None = None
) -> list[dict[str, Any]]:
    """Return the public keys of a keyring.

    Each is {"keyid", "fingerprint", "uids", "created", "expires", "expired", "keyLength", "ownerTrust",
    "trust", "subkeys"}, without the fields that are unknown or do not apply.

    user
        Owner of the keyring; the current user by default. `salt` means the directory `gpgkeys` in the
        configuration directory.
    gnupghome
        The directory of the keyring, instead of the user's (`$GNUPGHOME` or `~/.gnupg`).
    keyring
        One file of public keys, instead of those in the directory.

    Example::

        salt-g gpg.list_keys
    """
    return [key.shown() for key in keys(keychain(user, gnupghome, keyring))]


def list_secret_keys(
    user: str | None = None, gnupghome: str | None = None, keyring: str | None = None
) -> list[dict[str, Any]]:
    """Return the secret keys of a keyring. The arguments are those of `gpg.list_keys`.

    Example::

        salt-g gpg.list_secret_keys
    """
    return [key.shown() for key in keys(keychain(user, gnupghome, keyring), secret=True)]


def get_key(
    keyid: str | None = None,
    fingerprint: str | None = None,
    user: str | None = None,
    gnupghome: str | None = None,
    keyring: str | None = None,
) -> Any:
    """Return one public key, or False if it is missing.

    keyid, fingerprint
        One of the two; an id can be short, long or a whole fingerprint.

    The other arguments are those of `gpg.list_keys`.

    Example::

        salt-g gpg.get_key keyid=3FAD9F1E
    """
    found = find(keychain(user, gnupghome, keyring), keyid, fingerprint)
    return found.shown() if found else False


def get_secret_key(
    keyid: str | None = None,
    fingerprint: str | None = None,
    user: str | None = None,
    gnupghome: str | None = None,
    keyring: str | None = None,
) -> Any:
    """Return one secret key, or False if it is missing.

    The arguments are those of `gpg.get_key`.

    Example::

        salt-g gpg.get_secret_key keyid=3FAD9F1E
    """
    found = find(keychain(user, gnupghome, keyring), keyid, fingerprint, secret=True)
    return found.shown() if found else False


def read_key(
    path: str | None = None,
    text: str | None = None,
    fingerprint: str | None = None,
    keyid: str | None = None,
    user: str | None = None,
    gnupghome: str | None = None,
) -> list[dict[str, Any]]:
    """Return the keys in a file or text without importing them; [] if there are none.

    keyid, fingerprint
        Return only keys with this id or this fingerprint.

    `user` and `gnupghome` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.read_key /tmp/key.asc
    """
    if not (path or text):
        raise InvocationError("Either `path` or `text` is required.")
    if path and text:
        raise InvocationError("`path` and `text` are mutually exclusive.")
    result = run(
        prepared(user, gnupghome), "--import-options", "show-only", "--import", stdin=content(path, text)
    )
    wants_all = not (fingerprint or keyid)
    return [key.shown() for key in parsed(result.out) if wants_all or key.matches(keyid, fingerprint)]


def find(chain: Keychain, keyid: str | None, fingerprint: str | None, *, secret: bool = False) -> Key | None:
    """Return the first key of a keyring with this id or fingerprint, or None."""
    return next((key for key in keys(chain, secret=secret) if key.matches(keyid, fingerprint)), None)


def keys(chain: Keychain, *, secret: bool = False) -> list[Key]:
    """Return the keys of a keyring; raise CommandExecutionError if gpg cannot read it."""
    if chain.is_empty:
        return []
    what = "--list-secret-keys" if secret else "--list-keys"
    needs_agent = secret and chain.has_secret_keys
    result = run(chain, what, agent=needs_agent)
    found = parsed(result.out)
    # Without files of secret keys, only an agent that runs already (forwarded from elsewhere) can have some.
    may_fail = secret and not needs_agent
    if result.retcode and not found and not may_fail and not _is_missing(result.words):
        raise CommandExecutionError(f"cannot list the keys of {chain.keyring or chain.home}: {result.words}")
    return found


def parsed(listing: bytes) -> list[Key]:
    """Return the keys of a colon listing."""
    found: list[Key] = []
    for line in listing.decode("utf-8", "replace").splitlines():
        kind, *fields = (line + ":" * 10).split(":")
        if kind in ("pub", "sec"):
            uids: list[str] = []
            found.append(_key(fields, uids))
        elif kind in ("sub", "ssb") and found:
            found[-1].subkeys.append(_key(fields, None))
        elif kind == "fpr" and found:
            # The fingerprint's line follows that of its key or subkey.
            latest = found[-1].subkeys or found
            latest[-1] = latest[-1]._replace(fingerprint=fields[8])
        elif kind == "uid" and found:
            uids.append(unescaped(fields[8]))
    return found


def _key(fields: list[str], uids: list[str] | None) -> Key:
    trust, length, _, keyid, created, expires, _, owner_trust = fields[:8]
    return Key(keyid, "", uids, length, created, expires, owner_trust, trust, [])


def unescaped(text: str) -> str:
    r"""Return a user id with the escapes of listings (`\x3a`) decoded."""
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text)


def plain(name: str) -> str:
    """Return an id or fingerprint as listings spell it: no blanks, no `0x`, upper case."""
    return str(name).replace(" ", "").upper().removeprefix("0X")


def content(path: str | None, text: str | None) -> bytes:
    """Return the content of a file, or a text; raise InvocationError if the file cannot be read."""
    if not path:
        return str(text).encode()
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as exc:
        raise InvocationError(f"cannot read {path!r}: {exc.strerror}") from exc


def _is_missing(words: str) -> bool:
    """Return whether gpg only reports that a keyring does not exist yet."""
    return "No such file or directory" in words


def _day(moment: str) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(float(moment)))
