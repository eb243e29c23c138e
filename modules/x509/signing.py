"""Signing policies, and certificates for other minions.

Requests to an authority, and its permission check, are in `modules/_authority.py`.
"""

from __future__ import annotations

from typing import Any

from salt_g import x509
from salt_g.modules import _authority
from salt_g.modules.x509._issue import sign
from salt_g.x509.words import current_keywords

#: Secrets of an authority, never sent to other minions.
_SECRET = ("signing_private_key", "signing_private_key_passphrase")
#: Settings allowed only in the policy: keys and directories of this machine.
_OURS_TO_SAY = (
    *("signing_private_key", "signing_private_key_passphrase", "signing_cert", "copypath", "prepend_cn"),
    *("private_key", "private_key_passphrase"),
)


def get_signing_policy(signing_policy: str | None, ca_server: str | None = None) -> dict[str, Any]:
    """Return a signing policy of this minion, or, without its secrets, one of the minion `ca_server`.

    Example::

        salt-g x509.get_signing_policy www
    """
    return local_policy(signing_policy) if ca_server is None else _remote_policy(ca_server, signing_policy)


def sign_remote_certificate(
    signing_policy: str, kwargs: dict[str, Any], get_signing_policy_only: bool = False, **more_kwargs: Any
) -> dict[str, Any]:
    """Sign a certificate for another minion, requested by its `x509.create_certificate`.

    kwargs
        The arguments of `x509.create_certificate`.
    get_signing_policy_only
        Sign nothing, but return the policy without its secrets.

    Returns {"data": the certificate in DER or the policy, "errors": [text, ...]}.

    Example::

        salt-g x509.sign_remote_certificate www '{public_key: /etc/pki/www.pub}'
    """
    return _authority.answer(
        local_policy(signing_policy),
        more_kwargs.get("__pub_id"),
        lambda policy: _public_part(policy) if get_signing_policy_only else _signed(policy, kwargs),
    )


def local_policy(name: str | None) -> dict[str, Any]:
    """Return a signing policy of this minion's pillar or settings, or {} if there is none."""
    found = _authority.own_policy("x509_signing_policies", name)
    return current_keywords(x509.policies.as_mapping(found))


def ask_authority(
    ca_server: str, signing_policy: str | None, arguments: dict[str, Any], *, only_policy: bool = False
) -> Any:
    """Return a minion's answer to `x509.sign_remote_certificate`."""
    function = "x509.sign_remote_certificate"
    return _authority.ask(function, ca_server, signing_policy, arguments, only_policy=only_policy)


def _remote_policy(ca_server: str, signing_policy: str | None) -> dict[str, Any]:
    return _authority.remembered_policy(
        "x509", ca_server, signing_policy, lambda: _requested_policy(ca_server, signing_policy)
    )


def _requested_policy(ca_server: str, signing_policy: str | None) -> dict[str, Any]:
    answer = ask_authority(ca_server, signing_policy, {}, only_policy=True)
    policy = current_keywords(x509.policies.as_mapping(answer))
    if policy.get("signing_cert"):
        found = x509.loading.certificate(policy["signing_cert"])
        policy["signing_cert"] = x509.encoding.public(found).decode()
    return policy


def _public_part(policy: dict[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in policy.items() if name not in _SECRET}
    if shown.get("signing_cert"):
        found = x509.loading.certificate(shown["signing_cert"])
        shown["signing_cert"] = x509.encoding.public(found, "der")
    return shown


def _signed(policy: dict[str, Any], kwargs: dict[str, Any]) -> bytes:
    asked = {name: value for name, value in current_keywords(kwargs).items() if name not in _OURS_TO_SAY}
    made, _ = sign(x509.policies.enforced(policy, asked))
    return x509.encoding.public(made, "der")
