"""Import and export of keys: files, texts, key servers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.gpg.files import writing
from salt_g.modules.gpg.listing import Key, content, unescaped
from salt_g.modules.gpg.program import (
    GpgOutput,
    Keychain,
    keychain,
    needed_passphrase,
    prepared,
    run,
)

#: The default key server.
_KEY_SERVER = "keys.openpgp.org"
#: Bits of an `IMPORT_OK` status that mark new parts.
_NEWS = ((2, "new user IDs"), (4, "new signatures"), (8, "new subkeys"), (16, "secret key"))
#: GnuPG's error codes for "No data" and "Not found": the server has no such key.
_NOTHING_THERE = (58, 27)


def import_key(
    text: str | None = None,
    filename: str | None = None,
    user: str | None = None,
    gnupghome: str | None = None,
    keyring: str | None = None,
    select: Any = None,
) -> dict[str, Any]:
    """Import keys from a text or a file; return {res, message, fingerprints}.

    select
        Import only these public keys: an id, a fingerprint, an address, or a list of them.

    `user`, `gnupghome` and `keyring` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.import_key filename=/path/to/key.asc
    """
    if not (text or filename):
        raise InvocationError("filename or text must be passed.")
    if text and filename:
        raise InvocationError("filename and text are mutually exclusive.")
    chain = prepared(user, gnupghome, keyring)
    data = content(filename, text)
    if not select:
        return _imported(run(chain, "--import", stdin=data, agent=_may_be_secret(data)))
    refused, chosen = _selected(chain, data, [select] if isinstance(select, str) else select)
    if refused:
        return refused
    if not chosen:
        return {"res": True, "message": "After filtering, no keys to import were left.", "fingerprints": []}
    return _imported(run(chain, "--import", stdin=chosen, agent=False))


def export_key(
    keyids: Any = None,
    secret: bool = False,
    user: str | None = None,
    gnupghome: str | None = None,
    use_passphrase: bool = False,
    output: str | None = None,
    bare: bool = False,
    keyring: str | None = None,
) -> Any:
    """Return keys as armoured text in {res, comment}, or write them to a file.

    keyids
        Ids, fingerprints or addresses, a list or comma-separated text; all keys by default.
    secret
        Export the secret keys.
    use_passphrase
        Use the passphrase in the pillar key `gpg_passphrase`.
    output
        The file to write; a file of secret keys is private to its owner.
    bare
        Return only the text, False if there is no such key.

    `user`, `gnupghome` and `keyring` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.export_key keyids=3FAD9F1E
    """
    passphrase = needed_passphrase(secret and use_passphrase)
    wanted = keyids.split(",") if isinstance(keyids, str) else keyids or []
    words = "--export-secret-keys" if secret else "--export"
    result = run(
        keychain(user, gnupghome, keyring), "--armor", words, "--", *map(str, wanted), passphrase=passphrase
    )
    text = result.out.decode()
    if not text:
        return False if bare else {"res": False, "comment": result.words}
    if output:
        with writing(output, is_secret=secret) as file:
            file.write(result.out)
    if bare:
        return text
    return {"res": True, "comment": f"Exported key data has been written to {output}" if output else text}


def receive_keys(
    keyserver: str | None = None,
    keys: Any = None,
    user: str | None = None,
    gnupghome: str | None = None,
    keyring: str | None = None,
) -> dict[str, Any]:
    """Import keys from a key server; return {res, message}, a message for each key.

    keyserver
        The server's name or URL; the default is `keys.openpgp.org`.
    keys
        Ids or fingerprints: a list or comma-separated text.

    `user`, `gnupghome` and `keyring` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.receive_keys keys=3FAD9F1E keyserver=keyserver.ubuntu.com
    """
    wanted = keys.split(",") if isinstance(keys, str) else keys
    if not wanted:
        raise InvocationError("gpg.receive_keys needs `keys`: the ids or fingerprints to request")
    words = (
        "--keyserver",
        keyserver or _KEY_SERVER,
        "--recv-keys",
        "--",
        *(str(key).strip() for key in wanted),
    )
    result = run(prepared(user, gnupghome, keyring), *words)
    messages = [_news(int(flags), fingerprint) for flags, fingerprint, *_ in result.of("IMPORT_OK")]
    messages += ["Unable to add key to keychain: " + " ".join(line) for line in result.of("IMPORT_PROBLEM")]
    if result.retcode or not result.has("IMPORT_OK"):
        return {"res": False, "message": [*messages, f"GPG reported failure: {result.words}"]}
    return {"res": True, "message": messages}


def search_keys(
    text: str, keyserver: str | None = None, user: str | None = None, gnupghome: str | None = None
) -> list[dict[str, Any]]:
    """Return the keys that a key server has for a text, as `gpg.list_keys` does; [] if it has none.

    text
        An address, an id or a fingerprint.

    `keyserver` is that of `gpg.receive_keys`; `user` and `gnupghome` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.search_keys user@example.com keyserver=keyserver.ubuntu.com
    """
    server = keyserver or _KEY_SERVER
    result = run(prepared(user, gnupghome), "--keyserver", server, "--search-keys", "--", text)
    if result.retcode and not result.out and not _had_none(result):
        raise CommandExecutionError(f"cannot search {server}: {result.words}")
    return [key.shown() for key in _offered(result.out)]


def _imported(result: GpgOutput) -> dict[str, Any]:
    """Return the result of an import."""
    counts = [int(count) for count in (result.of("IMPORT_RES") or [["0"] * 15])[0]]
    seen, new, new_rsa = counts[0], counts[2], counts[3]
    fingerprints = [line[1] for line in result.of("IMPORT_OK")]
    if new or new_rsa:
        message = "Successfully imported key(s)."
    elif seen and fingerprints:
        message = "Key(s) already exist in keychain."
    else:
        return {"res": False, "message": f"Unable to import key. {result.words}".rstrip(), "fingerprints": []}
    return {"res": True, "message": message, "fingerprints": fingerprints}


def _may_be_secret(data: bytes) -> bool:
    """Return whether key data can contain secret keys, which only the agent can store; binary data can."""
    return b"-----BEGIN PGP PUBLIC KEY" not in data or b"-----BEGIN PGP PRIVATE KEY" in data


def _selected(chain: Keychain, data: bytes, wanted: Iterable[Any]) -> tuple[dict[str, Any] | None, bytes]:
    """Return the selected keys as (None, data), or the failed result of reading keys as (result, b"").

    All keys are first imported into a temporary directory.
    """
    home = tempfile.mkdtemp(prefix="gpg")
    try:
        if chain.who is not None:
            shutil.chown(home, chain.who.uid, chain.who.gid)
        aside = Keychain(home, None, chain.who)
        done = _imported(run(aside, "--import", stdin=data, agent=_may_be_secret(data)))
        if not done["res"]:
            return done, b""
        return None, run(aside, "--export", "--", *map(str, wanted), agent=False).out
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _news(flags: int, fingerprint: str) -> str:
    if flags & 1:
        return f"Key {fingerprint} added to keychain"
    news = [text for bit, text in _NEWS if flags & bit]
    if not news:
        return f"Key {fingerprint} already exists in keychain"
    return f"Key {fingerprint} updated: {', '.join(news)}"


def _had_none(result: GpgOutput) -> bool:
    """Return whether a key server reported that it has no such key."""
    return any(
        int(line[1]) & 0xFFFF in _NOTHING_THERE for line in result.of("FAILURE", "ERROR") if len(line) > 1
    )


def _offered(listing: bytes) -> list[Key]:
    """Return the keys in a server's answer; an id can be a whole fingerprint."""
    found: list[Key] = []
    for line in listing.decode("utf-8", "replace").splitlines():
        kind, *fields = (line + ":" * 7).split(":")
        if kind == "pub":
            keyid, _, length, created, expires = fields[:5]
            uids: list[str] = []
            found.append(Key(keyid, "", uids, length, created, expires, "", "", []))
        elif kind == "uid" and found:
            uids.append(unescaped(unquote(fields[0])))
    return found
