"""Certificate revocation lists."""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import failed
from salt_g.states.x509._kept_file import Found, Kind, keep, split_arguments
from salt_g.x509.words import check_known

#: Days that a list is valid, and days before its end on which a new one is made.
_DAYS_VALID = 100
_DAYS_REMAINING = 30
_NUMBER = "cRLNumber"


def crl_managed(
    name: str,
    signing_private_key: Any,
    revoked: list[dict[str, Any]],
    days_remaining: int | None = None,
    signing_cert: Any = None,
    signing_private_key_passphrase: str | None = None,
    include_expired: bool = False,
    days_valid: int | None = None,
    digest: str = "sha256",
    encoding: str = "pem",
    extensions: dict[str, Any] | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Make sure that there is a revocation list as wanted, and make a new one before it runs out.

    revoked
        Dicts as in `x509.create_crl`.
    days_remaining
        Days before its end on which a new list is made, 30 unless given; 0 never makes one for that.
    days_valid
        Days that a list is valid, 100 unless given.
    extensions
        As in `x509.create_crl`; `cRLNumber: auto` counts the lists.

    Further keywords are those of `file.managed`.

    Example::

        /etc/pki/ca.crl:
          x509.crl_managed:
            - signing_private_key: /etc/pki/ca.key
            - signing_cert: /etc/pki/ca.crt
            - revoked:
              - serial_number: D6:D2:DC:D8:4D:5C:C0:F4
                extensions:
                  CRLReason: keyCompromise
            - extensions:
                cRLNumber: auto
    """
    file_arguments, others = split_arguments(kwargs)
    digest = others.pop("digest", digest)
    entries = x509.policies.revoked(revoked)
    wanted = dict(extensions or {})
    counts = wanted.get(_NUMBER) == "auto"
    fixed = {key: value for key, value in wanted.items() if not (counts and key == _NUMBER)}
    how = {
        "signing_cert": signing_cert,
        "include_expired": include_expired,
        "days_valid": _DAYS_VALID if days_valid is None else days_valid,
    }

    def look(path: str) -> Found:
        try:
            found, there = x509.loading.revocation_list_and_encoding(path)
        except x509.loading.Unreadable:
            return Found(None, {"replaced": name})
        plan = x509.plans.revocation_list(
            signing_private_key, entries, passphrase=signing_private_key_passphrase, extensions=fixed, **how
        )
        changes = x509.differences.of_digest(found, digest)
        if there != encoding:
            changes["encoding"] = encoding
        days = _DAYS_REMAINING if days_remaining is None else days_remaining
        if days and found.next_update_utc < x509.times.in_days(days):
            changes["expiration"] = True
        ignored = [_NUMBER] if counts else []
        return Found(found, {**changes, **x509.differences.of_revocation_list(found, plan, ignored=ignored)})

    def make(found: Found) -> str:
        if not set(found.changes) - {"encoding"}:
            return str(call("x509.encode_crl", found.thing, encoding=encoding))
        numbered = {**fixed, _NUMBER: _next_number(found.thing)} if counts else fixed
        return str(
            call(
                "x509.create_crl",
                signing_private_key,
                entries,
                signing_private_key_passphrase=signing_private_key_passphrase,
                digest=digest,
                encoding=encoding,
                extensions=numbered,
                **how,
            )
        )

    try:
        check_known(others, ("signing_cert", "days_remaining", "include_expired", "extensions", "digest"))
    except (CommandExecutionError, InvocationError) as exc:
        return failed(name, str(exc))
    return keep(name, Kind("certificate revocation list", encoding, look, make), file_arguments)


def _next_number(found: Any) -> int:
    known = x509.rendering.extensions(found.extensions) if found is not None else {}
    return int(known[_NUMBER]["value"]) + 1 if _NUMBER in known else 1
