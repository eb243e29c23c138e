"""Detached signatures with RSA, EC, Ed25519 and Ed448 keys.

`sig_backend: asymmetric` of `file.managed`, `file.cached` and `archive.extracted` calls `verify` in place of
`gpg.verify`. The library comes with the extra `salt-g[x509]`.
Shapes: a public key is a path, a URL, PEM text, hexadecimal, base64 or bytes; a signature is a path, a URL,
base64 or bytes.
Source: the module `asymmetric` of Salt 3008.
"""

from __future__ import annotations

import base64
import logging
import os
from collections.abc import Iterable
from typing import Any

from salt_g import x509
from salt_g.api import services
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError
from salt_g.formats.urls import REMOTE, local_part, scheme_of
from salt_g.modules.x509._output import write

log = logging.getLogger(__name__)

#: Schemes of keys and signatures that are fetched.
_FETCHED = ("salt", "file", *REMOTE)


def __virtual__() -> bool | tuple[bool, str]:
    return x509.is_available() or (False, x509.MISSING)


def sign(
    privkey: Any,
    passphrase: str | None = None,
    text: Any = None,
    filename: str | None = None,
    digest: str | None = None,
    raw: bool | None = None,
    path: str | None = None,
) -> Any:
    """Sign a text or a file and return the signature in base64, or write it to `path`.

    privkey
        The private key: a path, PEM text, hexadecimal or base64.
    digest
        For RSA and EC keys; `sha256` by default.
    raw
        Return the signature as bytes. In a file it has this form unless `raw` is False.

    Example::

        salt-g asymmetric.sign /root/privkey.pem text='I like you'
    """
    if text is None and filename is None:
        raise InvocationError("Either `text` or `filename` is required")
    data = _bytes_of(text, "text") if text is not None else _file(str(filename))
    signature = x509.signatures.sign(
        x509.loading.private_key(privkey, passphrase), data, str(digest or "sha256")
    )
    encoded = base64.b64encode(signature)
    if path is None:
        return signature if raw else encoded.decode()
    try:
        write(path, encoded if raw is False else signature)
    except OSError as exc:
        raise CommandExecutionError(f"cannot write the signature to {path!r}: {exc.strerror}") from exc
    return f"Signature written to '{path}'"


def verify(
    text: Any = None,
    filename: str | None = None,
    pubkey: Any = None,
    signature: Any = None,
    digest: str | None = None,
    signed_by_any: Any = None,
    signed_by_all: Any = None,
    **kwargs: Any,
) -> dict[str, Any]:
    """Verify signatures of a text or a file; return {res, message}.

    pubkey
        The key of a single signature.
    signature
        One signature, or with `signed_by_any` and `signed_by_all` a list.
    digest
        For RSA and EC keys; `sha256` by default.
    signed_by_any, signed_by_all
        Public keys: at least one of the first, and all of the second, must have made a valid signature.

    Other keywords, those of `gpg.verify`, have no effect.

    Example::

        salt-g asymmetric.verify pubkey=/root/pubkey.pem text='I like you' signature=/root/ilikeyou.sig
    """
    _check(text, filename, pubkey, signature, signed_by_any, signed_by_all)
    if filename and not os.path.exists(filename):
        raise CommandExecutionError(f"Path '{filename}' does not exist")
    digest = str(digest or "sha256")
    if pubkey:
        return _by_one(text, filename, pubkey, signature, digest)
    signatures = _available(signature)
    data = _bytes_of(text, "text") if text else _file(str(filename))
    any_of, all_of = _listed(signed_by_any), _listed(signed_by_all)
    if any_of and not any(_problem(key, data, signatures, digest) is None for key in any_of):
        text = "None of the public keys listed in signed_by_any provided a valid signature"
        return {"res": False, "message": text}
    for key in all_of:
        problem = _problem(key, data, signatures, digest)
        if problem is not None:
            return {"res": False, "message": f"Failed while checking `signed_by_all`: {problem}"}
    return {"res": True, "message": "All required keys have provided a signature"}


def _check(text: Any, filename: Any, pubkey: Any, signature: Any, any_of: Any, all_of: Any) -> None:
    """Raise InvocationError for arguments that do not fit together."""
    if not signature:
        raise InvocationError("Missing `signature` parameter")
    if text and filename:
        raise InvocationError("`text` and `filename` arguments are mutually exclusive")
    if not (pubkey or any_of or all_of):
        raise InvocationError("Missing pubkey(s) to check against")
    if not (text or filename):
        raise InvocationError("Missing data to verify. Either specify `text` or `filename`")
    if pubkey and (any_of or all_of):
        raise InvocationError("Either specify pubkey + signature or signed_by_(any|all)")
    if pubkey and not isinstance(signature, (str, bytes)):
        raise InvocationError(
            "`signature` must be a string or bytes when verifying a single signing `pubkey`"
        )


def _by_one(text: Any, filename: str | None, pubkey: Any, signature: Any, digest: str) -> dict[str, Any]:
    try:
        content = _signature(signature)
    except SaltGError as exc:
        return {"res": False, "message": str(exc)}
    try:
        data = _bytes_of(text, "text") if text else _file(str(filename))
        x509.signatures.verify(_public_key(pubkey), data, content, digest)
    except SaltGError as exc:
        return {"res": False, "message": f"Failed checking signature: {exc}"}
    return {"res": True, "message": "The signature is valid"}


def _available(signature: Any) -> list[bytes]:
    """Return the contents of all signatures that can be read; one that cannot is logged."""
    given = _listed(signature)
    found = []
    for one in given:
        try:
            found.append(_signature(one))
        except SaltGError as exc:
            log.error("a signature is left out: %s", exc)
    if not found:
        raise CommandExecutionError(f"Unable to locate any of the {len(given)} signatures")
    return found


def _problem(pubkey: Any, data: bytes, signatures: Iterable[bytes], digest: str) -> SaltGError | None:
    """Return None if one of the signatures was made with a key, else the reason why none counts."""
    problem: SaltGError | None = None
    try:
        key = _public_key(pubkey)
    except SaltGError as exc:
        log.error("a public key cannot be used: %s", exc)
        return exc
    for content in signatures:
        try:
            x509.signatures.verify(key, data, content, digest)
        except SaltGError as exc:
            problem = exc
        else:
            return None
    return problem


def _public_key(reference: Any) -> Any:
    """Load a public key, from a URL too."""
    return x509.loading.public_key(_fetched(reference))


def _signature(reference: Any) -> bytes:
    """Return the bytes of a signature."""
    if isinstance(reference, bytes):
        return reference
    path = _fetched(reference)
    content = _file(path) if os.path.isfile(path) else _bytes_of(path, "signature")
    decoded: bytes = x509.signatures.decoded(content)
    return decoded


def _fetched(reference: Any) -> Any:
    """Return the local copy of what a URL names; return everything else unchanged."""
    if not isinstance(reference, str) or scheme_of(reference) not in _FETCHED:
        return reference
    if scheme_of(reference) == "file":
        path = local_part(reference)
        path = path if os.path.isfile(path) else ""
    else:
        path = services().files.cache_file(reference)
    if not path:
        raise CommandExecutionError(f"Failed fetching '{reference}'")
    return path


def _file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as exc:
        raise CommandExecutionError(f"cannot read {path!r}: {exc.strerror}") from exc


def _bytes_of(value: Any, name: str) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    raise InvocationError(f"`{name}` has to be text or bytes, not {value!r}")


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]
