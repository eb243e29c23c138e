"""Signing policies, and certificates for other minions.

How an authority is asked, and whom it serves, says `modules/_authority.py`.
"""

from __future__ import annotations

import copy
from typing import Any

from salt_g import x509
from salt_g.api import call, scratch
from salt_g.errors import SaltGError
from salt_g.modules import _authority
from salt_g.modules.x509._issue import sign
from salt_g.x509.words import current_keywords, with_current_words

#: Secrets of an authority, never sent to other minions.
_SECRET = ("signing_private_key", "signing_private_key_passphrase")
#: Settings allowed only in the policy: keys and directories of this machine.
_OURS_TO_SAY = (
    *("signing_private_key", "signing_private_key_passphrase", "signing_cert", "copypath", "prepend_cn"),
    *("private_key", "private_key_passphrase"),
)


def get_signing_policy(signing_policy: str | None, ca_server: str | None = None) -> dict[str, Any]:
    """Return a signing policy of this minion, or of another one, without its secrets.

    Example::

        salt-g x509.get_signing_policy www
    """
    return local_policy(signing_policy) if ca_server is None else _remote_policy(ca_server, signing_policy)


def sign_remote_certificate(
    signing_policy: str, kwargs: dict[str, Any], get_signing_policy_only: bool = False, **more_kwargs: Any
) -> dict[str, Any]:
    """Sign a certificate for another minion, as `x509.create_certificate` there asks for it.

    kwargs
        The arguments of `x509.create_certificate`.
    get_signing_policy_only
        Return the policy without its secrets.

    Example::

        salt-g x509.sign_remote_certificate www '{public_key: /etc/pki/www.pub}'
    """
    policy = local_policy(signing_policy)
    refusal = _authority.refusal(policy, more_kwargs.get("__pub_id"))
    if refusal:
        return {"data": None, "errors": [refusal]}
    policy.pop("minions", None)
    try:
        if get_signing_policy_only:
            return {"data": _public_part(policy), "errors": []}
        return {"data": _signed(policy, kwargs), "errors": []}
    except (SaltGError, OSError) as exc:
        return {"data": None, "errors": [str(exc)]}


def local_policy(name: str | None) -> dict[str, Any]:
    """Return a signing policy of this minion's pillar or settings, {} if there is none."""
    if name is None:
        return {}
    in_pillar = call("pillar.get", "x509_signing_policies", {}, unmask=True) or {}
    found = in_pillar.get(name) or (call("config.get", "x509_signing_policies", {}) or {}).get(name)
    return with_current_words(x509.policies.as_mapping(found))


def ask_authority(
    ca_server: str, signing_policy: str | None, arguments: dict[str, Any], *, only_policy: bool = False
) -> Any:
    """Return what a minion answers to `x509.sign_remote_certificate`."""
    function = "x509.sign_remote_certificate"
    return _authority.ask(function, ca_server, signing_policy, arguments, only_policy=only_policy)


def _remote_policy(ca_server: str, signing_policy: str | None) -> dict[str, Any]:
    """Return the policy of another minion; it is requested once per run."""
    known = scratch.setdefault("_x509_policies", {}).setdefault(ca_server, {})
    if signing_policy not in known:
        answer = ask_authority(ca_server, signing_policy, {}, only_policy=True)
        policy = with_current_words(x509.policies.as_mapping(answer))
        if policy.get("signing_cert"):
            found = x509.loading.certificate(policy["signing_cert"])
            policy["signing_cert"] = x509.encoding.public(found).decode()
        known[signing_policy] = policy
    return dict(copy.deepcopy(known[signing_policy]))


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
