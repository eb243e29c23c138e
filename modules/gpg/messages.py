"""Signing, encryption and decryption of texts and files.

Shapes: {"res": bool, "comment": the output, its file, or the error}; with `bare` only the output, False on
failure. The output is bytes.
"""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.gpg.files import reading, writing
from salt_g.modules.gpg.program import (
    Keychain,
    handed,
    keychain,
    needed_passphrase,
    run,
)


class _Source(NamedTuple):
    """Input of gpg: a text or a file."""

    text: Any
    filename: str | None


def sign(
    user: str | None = None,
    keyid: str | None = None,
    text: Any = None,
    filename: str | None = None,
    output: str | None = None,
    use_passphrase: bool = False,
    gnupghome: str | None = None,
    keyring: str | None = None,
) -> bytes:
    """Return a text, or the content of a file, with a clear-text signature.

    keyid
        The signing key; gpg's default key (usually the first secret one) if not given.
    output
        A file to which the result is also written.
    use_passphrase
        Use the passphrase in the pillar key `gpg_passphrase`.

    `user`, `gnupghome` and `keyring` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.sign text='Hello there.'
    """
    source = _source(text, filename)
    passphrase = needed_passphrase(use_passphrase)
    chain = keychain(user, gnupghome, keyring)
    key = ["--local-user", str(keyid)] if keyid else []
    signed = _made(chain, source, [*key, "--clear-sign"], proof="SIG_CREATED", passphrase=passphrase)
    if output:
        with writing(output, is_secret=False) as file:
            file.write(signed)
    return signed


def encrypt(
    user: str | None = None,
    recipients: Any = None,
    text: Any = None,
    filename: str | None = None,
    output: str | None = None,
    sign: Any = None,
    use_passphrase: bool = False,
    always_trust: bool = False,
    gnupghome: str | None = None,
    bare: bool = False,
    keyring: str | None = None,
) -> Any:
    """Encrypt a text or a file; return {res, comment}, the comment being the armoured message.

    recipients
        Recipients as ids, fingerprints or addresses: one, or a list.
    output
        Write the message to this file instead.
    sign
        Also sign the message: True, or the signing key.
    use_passphrase
        Use the passphrase in the pillar key `gpg_passphrase`.
    always_trust
        Trust the keys without checking their certification.
    bare
        Return only the message, False on failure.

    `user`, `gnupghome` and `keyring` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.encrypt text='Hello there.' recipients=backup@example.com
    """
    source = _source(text, filename)
    if not recipients:
        raise InvocationError("gpg.encrypt needs `recipients`: the keys of the recipients")
    passphrase = needed_passphrase(bool(sign) and use_passphrase)
    chain = keychain(user, gnupghome, keyring)
    readers = [recipients] if isinstance(recipients, str) else recipients
    words = [
        *(["--trust-model", "always"] if always_trust else []),
        *(["--sign"] if sign else []),
        *(["--local-user", str(sign)] if sign and sign is not True else []),
        *(word for reader in readers for word in ("--recipient", str(reader))),
        *("--armor", "--encrypt"),
    ]
    try:
        made = _made(chain, source, words, proof="END_ENCRYPTION", passphrase=passphrase, output=output)
    except CommandExecutionError as exc:
        return _failed(exc, bare)
    return _shown(made, "Encrypted", output, bare)


def decrypt(
    user: str | None = None,
    text: Any = None,
    filename: str | None = None,
    output: str | None = None,
    use_passphrase: bool = False,
    gnupghome: str | None = None,
    bare: bool = False,
    keyring: str | None = None,
) -> Any:
    """Decrypt a text or a file; return {res, comment}, the comment being the plaintext.

    output
        Write the plaintext to this file instead; a new file is private to its owner.
    use_passphrase
        Use the passphrase in the pillar key `gpg_passphrase`.
    bare
        Return only the plaintext, False on failure.

    `user`, `gnupghome` and `keyring` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.decrypt filename=/path/to/important.file.gpg
    """
    source = _source(text, filename)
    passphrase = needed_passphrase(use_passphrase)
    chain = keychain(user, gnupghome, keyring)
    try:
        proof = "DECRYPTION_OKAY"
        made = _made(
            chain, source, ["--decrypt"], proof=proof, passphrase=passphrase, output=output, is_secret=True
        )
    except CommandExecutionError as exc:
        return _failed(exc, bare)
    return _shown(made, "Decrypted", output, bare)


def _source(text: Any, filename: str | None) -> _Source:
    if not text and not filename:
        raise InvocationError("filename or text must be passed.")
    return _Source(text, filename)


def _made(
    chain: Keychain,
    source: _Source,
    words: list[str],
    *,
    proof: str,
    passphrase: str | None,
    output: str | None = None,
    is_secret: bool = False,
) -> bytes:
    """Return gpg's output for a source, b"" if the output is written to a file.

    Raises CommandExecutionError with gpg's message if the keyword `proof` is missing from the status lines;
    the file is then unchanged.
    """
    with contextlib.ExitStack() as stack:
        read = None if source.text else stack.enter_context(reading(str(source.filename)))
        write = stack.enter_context(writing(output, is_secret=is_secret)) if output else None
        result = run(
            chain,
            *(["--output", handed(write)] if write else []),
            *words,
            *(["--", handed(read)] if read else []),
            stdin=b"" if read else str(source.text).encode(),
            files=tuple(file for file in (read, write) if file),
            passphrase=passphrase,
        )
        if not result.has(proof):
            raise CommandExecutionError(result.words or f"gpg ended with {result.retcode}")
    return result.out


def _shown(made: bytes, verb: str, output: str | None, bare: bool) -> Any:
    if bare:
        return made
    return {"res": True, "comment": f"{verb} data has been written to {output}" if output else made}


def _failed(problem: CommandExecutionError, bare: bool) -> Any:
    return False if bare else {"res": False, "comment": str(problem)}
