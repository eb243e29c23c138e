"""Signing and verification of texts and files with plain keys (RSA, ECDSA, Ed25519, Ed448).

With `sig_backend: asymmetric`, `file.managed` and other states verify downloads with this module. Keys are
paths, PEM text, hexadecimal or base64, as in `x509`; public keys and signatures can also be URLs.
"""

from __future__ import annotations

import base64
import contextlib
import logging
import os
from collections.abc import Iterator, Sequence
from typing import IO, Any

from salt_g import x509
from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._output_file import write
from salt_g.process import disk

log = logging.getLogger(__name__)

#: Arguments of `gpg.verify` that states pass to each backend and that mean nothing here.
_OF_GPG = ("user", "gnupghome", "keyring", "trustmodel")
_NONE_OF_ANY = "None of the public keys listed in signed_by_any provided a valid signature"


def __virtual__() -> bool | tuple[bool, str]:
    return True if x509.is_available() else (False, x509.MISSING)


def sign(
    privkey: Any,
    text: Any = None,
    filename: str | None = None,
    passphrase: str | None = None,
    digest: str = "sha256",
    raw: bool | None = None,
    path: str | None = None,
) -> Any:
    """Sign a text or a file; return the signature in base64, or write it to `path`.

    privkey, passphrase
        The private key, and its passphrase.
    text, filename
        The text or the file to sign; exactly one of the two.
    digest
        The digest for RSA and ECDSA.
    raw
        Write or return bytes instead of base64. The default is True with `path`, else False.

    Example::

        salt-g asymmetric.sign /root/key.pem filename=/srv/release.tar.gz path=/srv/release.tar.gz.sig
    """
    if text is None and not filename:
        raise InvocationError("Either `text` or `filename` is required")
    if text is not None and filename:
        raise InvocationError("`text` and `filename` arguments are mutually exclusive")
    key = x509.loading.private_key(privkey, passphrase)
    with _opened(text, filename) as data:
        signature = x509.signatures.sign(key, data, digest)
    if not (path is not None if raw is None else raw):
        signature = base64.b64encode(signature)
        if path is None:
            return signature.decode()
    if path is None:
        return signature
    # A signature is public, so its file has the default mode.
    write(path, signature, mode=0o666 & ~disk.current_umask())
    return f"Signature written to '{path}'"


def verify(
    text: Any = None,
    filename: str | None = None,
    pubkey: Any = None,
    signature: Any = None,
    digest: str = "sha256",
    signed_by_any: Any = None,
    signed_by_all: Any = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Verify signatures of a text or file; return {res, message}.

    pubkey, signature
        One public key, and the signature to verify with it.
    signed_by_any, signed_by_all
        Public keys, instead of `pubkey`: at least one key of the first list, and all keys of the second, must
        have made one of the signatures. `signature` can then be a list.
    digest
        The digest for RSA and ECDSA.

    Arguments that only `gpg.verify` has (`keyring`, `gnupghome`, ...) are ignored.

    Example::

        salt-g asymmetric.verify filename=/srv/a.tar.gz signature=/srv/a.tar.gz.sig pubkey=/etc/release.pub
    """
    _check(text, filename, pubkey, signature, signed_by_any or signed_by_all, kwargs)
    with _opened(text, filename) as data:
        if pubkey is not None:
            return _by_one(pubkey, signature, data, digest)
        signatures = _signatures(signature)
        any_of, all_of = _listed(signed_by_any), _listed(signed_by_all)
        if any_of and not any(_refusal(key, signatures, data, digest, listed=True) is None for key in any_of):
            return _failed(_NONE_OF_ANY)
        for key in all_of:
            refusal = _refusal(key, signatures, data, digest)
            if refusal is not None:
                return _failed(f"Failed while checking `signed_by_all`: {refusal}")
    return {"res": True, "message": "All required keys have provided a signature"}


def _check(
    text: Any, filename: Any, pubkey: Any, signature: Any, signers: Any, others: dict[str, Any]
) -> None:
    """Raise InvocationError for unknown, missing or contradictory arguments."""
    unknown = [name for name in others if name not in _OF_GPG and not name.startswith("_")]
    if unknown:
        raise InvocationError(f"Unrecognized keyword arguments: {unknown}")
    if text is not None and filename:
        raise InvocationError("`text` and `filename` arguments are mutually exclusive")
    if not signature:
        raise InvocationError("Missing `signature` parameter")
    if text is None and not filename:
        raise InvocationError("Missing data to verify: `text` or `filename` is required")
    if pubkey is None and not signers:
        raise InvocationError("Missing pubkey(s) to check against")
    if pubkey is not None and signers:
        raise InvocationError("Either specify pubkey + signature or signed_by_(any|all)")
    if pubkey is not None and not isinstance(signature, (str, bytes)):
        raise InvocationError(
            "`signature` must be a string or bytes when verifying a single signing `pubkey`"
        )


def _by_one(pubkey: Any, signature: Any, data: bytes | IO[bytes], digest: str) -> dict[str, Any]:
    try:
        loaded = x509.signatures.signature_of(_fetched(signature))
    except CommandExecutionError as exc:
        return _failed(str(exc))
    refusal = _refusal(pubkey, [loaded], data, digest)
    if refusal is not None:
        return _failed(f"Failed checking signature: {refusal}")
    return {"res": True, "message": "The signature is valid"}


def _refusal(
    pubkey: Any, signatures: Sequence[bytes], data: bytes | IO[bytes], digest: str, *, listed: bool = False
) -> str | None:
    """Return why no signature was made by a key, or None if one was; with `listed`, log an unusable key."""
    try:
        key = x509.loading.public_key(_fetched(pubkey))
        for signature in signatures:
            with contextlib.suppress(x509.signatures.BadSignature):
                x509.signatures.check(key, signature, data, digest)
                return None
    except (CommandExecutionError, InvocationError) as exc:
        if listed:
            log.error("%s", exc)
        return str(exc)
    return f"Invalid signature for key {x509.signatures.name_of(key)}"


def _signatures(references: Any) -> list[bytes]:
    """Return the signatures that could be fetched; raise CommandExecutionError if there are none."""
    found = []
    for reference in _listed(references):
        try:
            found.append(x509.signatures.signature_of(_fetched(reference)))
        except CommandExecutionError as exc:
            log.error("%s", exc)
    if not found:
        raise CommandExecutionError("Unable to locate any of the provided signatures")
    return found


def _fetched(reference: Any) -> Any:
    """Return a reference with a URL replaced by the path of its cached file."""
    if not isinstance(reference, str) or "://" not in reference:
        return reference
    path = call("cp.cache_file", reference)
    if not path or not os.path.isfile(path):
        raise CommandExecutionError(f"Failed fetching '{reference}'")
    return path


@contextlib.contextmanager
def _opened(text: Any, filename: str | None) -> Iterator[bytes | IO[bytes]]:
    if text is not None:
        yield text if isinstance(text, bytes) else str(text).encode()
        return
    path = str(filename)
    if not os.path.isfile(path):
        raise CommandExecutionError(f"Path '{path}' does not exist or is not a file")
    with open(path, "rb") as file:
        yield file


def _failed(message: str) -> dict[str, Any]:
    return {"res": False, "message": message}


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]
