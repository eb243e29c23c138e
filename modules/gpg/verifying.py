"""Verification of signatures, and of required signers."""

from __future__ import annotations

import contextlib
from typing import Any
from urllib.parse import unquote

from salt_g.errors import InvocationError
from salt_g.modules.gpg.files import reading
from salt_g.modules.gpg.listing import plain
from salt_g.modules.gpg.program import GpgOutput, handed, keychain, run

_TRUST_MODELS = ("pgp", "classic", "tofu", "tofu+pgp", "direct", "always", "auto")
#: {keyword of a status line: trust level of the key}.
_TRUST = {
    "TRUST_EXPIRED": "Expired",
    "TRUST_UNDEFINED": "Undefined",
    "TRUST_NEVER": "Never",
    "TRUST_MARGINAL": "Marginal",
    "TRUST_FULLY": "Fully",
    "TRUST_ULTIMATE": "Ultimate",
}
#: {keyword of a status line: status of the signature}.
_STATUS = {
    "GOODSIG": "signature valid",
    "BADSIG": "signature bad",
    "ERRSIG": "signature error",
    "EXPSIG": "signature expired",
    "EXPKEYSIG": "signing key has expired",
    "REVKEYSIG": "signing key was revoked",
}


#: Statuses of signatures that never count, whatever the trust in the key.
_NEVER_GOOD = tuple(_STATUS[word] for word in ("BADSIG", "ERRSIG", "REVKEYSIG"))


def verify(
    text: Any = None,
    user: str | None = None,
    filename: str | None = None,
    gnupghome: str | None = None,
    signature: str | None = None,
    trustmodel: str | None = None,
    signed_by_any: Any = None,
    signed_by_all: Any = None,
    keyring: str | None = None,
) -> dict[str, Any]:
    """Verify a signed text or file; return {res, message} and, if valid, {username, key_id, trust_level}.

    signature
        The file of a detached signature.
    trustmodel
        The trust model: `pgp`, `classic`, `tofu`, `tofu+pgp`, `direct`, `always` or `auto`.
    signed_by_any, signed_by_all
        Fingerprints of primary keys: at least one of the first list, and all of the second, must have made a
        valid signature. The return then has all `signatures`; the trust in their keys is ignored.

    `user`, `gnupghome` and `keyring` are those of `gpg.list_keys`.

    Example::

        salt-g gpg.verify filename=/path/to/important.file signature=/path/to/important.file.sig
    """
    if trustmodel and trustmodel not in _TRUST_MODELS:
        known = ", ".join(_TRUST_MODELS)
        return {"res": False, "message": f"Invalid trustmodel defined: {trustmodel}. Use one of: {known}"}
    if not text and not filename:
        raise InvocationError("filename or text must be passed.")
    with contextlib.ExitStack() as stack:
        paths = [path for path in (signature, None if text else filename) if path]
        files = tuple(stack.enter_context(reading(path)) for path in paths)
        result = run(
            keychain(user, gnupghome, keyring),
            *(["--trust-model", trustmodel] if trustmodel else []),
            # In batch mode gpg stops at the first bad signature; all of them are needed.
            *("--no-batch", "--verify", "--"),
            *map(handed, files),
            *(["-"] if text and signature else []),
            stdin=str(text).encode() if text else b"",
            files=files,
        )
    found = _signatures(result)
    if signed_by_any or signed_by_all:
        return _by_signers(found, _listed(signed_by_any), _listed(signed_by_all))
    return _verified(found)


def _verified(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the verdict if no signers are required: good if a signature is valid and none is bad."""
    good = [one for one in found if _is_good(one)]
    if not good or any(one["status"] == _STATUS["BADSIG"] for one in found):
        return {"res": False, "message": "The signature could not be verified."}
    said = {name: good[-1][name] for name in ("username", "key_id", "trust_level")}
    return {"res": True, **said, "message": "The signature is verified."}


def _by_signers(found: list[dict[str, Any]], any_of: list[str], all_of: list[str]) -> dict[str, Any]:
    """Return the verdict for required signers."""
    signers = {one["fingerprint"] for one in found if _is_good(one)}
    missing = next((name for name in all_of if plain(name) not in signers), None)
    if any_of and not signers.intersection(map(plain, any_of)):
        message = "None of the public keys listed in signed_by_any provided a valid signature"
    elif missing is not None:
        message = f"Public key {missing} has not provided a valid signature, but was listed in signed_by_all"
    else:
        return {"res": True, "message": "All required keys have provided a signature", "signatures": found}
    return {"res": False, "message": message, "signatures": found}


def _signatures(result: GpgOutput) -> list[dict[str, Any]]:
    """Return gpg's verdict on each signature, in order."""
    found: list[dict[str, Any]] = []
    for keyword, arguments in result.statuses:
        if keyword in _STATUS:
            name = unquote(" ".join(arguments[1:])) if keyword != "ERRSIG" else None
            made = {"username": name, "key_id": arguments[0], "fingerprint": None, "trust_level": None}
            found.append({**made, "status": _STATUS[keyword]})
        elif keyword == "VALIDSIG" and found:
            # The last word is the fingerprint of the primary key, the first that of the signing key.
            found[-1]["fingerprint"] = arguments[-1]
        elif keyword in _TRUST and found:
            found[-1]["trust_level"] = _TRUST[keyword]
    return found


def _is_good(signature: dict[str, Any]) -> bool:
    return signature["trust_level"] is not None and signature["status"] not in _NEVER_GOOD


def _listed(signers: Any) -> list[str]:
    return [str(one) for one in (signers if isinstance(signers, list) else [signers] if signers else [])]
