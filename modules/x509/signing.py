"""Signing policies, and certificates for other minions.

The authority is a minion that has its key and the policy; others ask it through the master. It answers
{"data": DER bytes or the policy, "errors": [text]}, which is part of the wire between minions of any version.
"""

from __future__ import annotations

import copy
import logging
from typing import Any

from salt_g import x509
from salt_g.api import call, scratch
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError
from salt_g.modules.x509._issue import sign
from salt_g.x509.words import current, renewed

log = logging.getLogger(__name__)

#: Seconds that an authority may take; keys of thousands of bits on small machines are slow.
_SIGN_TIMEOUT = 60
#: What an authority keeps to itself.
_SECRET = ("signing_private_key", "signing_private_key_passphrase")
#: What only the policy says: they are keys and directories of this machine.
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
    try:
        refusal = _refusal(policy, more_kwargs.get("__pub_id"))
    except CommandExecutionError as exc:
        log.error("%s", exc)
        refusal = "Failed building the signing policy. See CA server log for details."
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
    """Return a signing policy of this minion's pillar or settings, {} when there is none."""
    if name is None:
        return {}
    in_pillar = call("pillar.get", "x509_signing_policies", {}, unmask=True) or {}
    found = in_pillar.get(name) or (call("config.get", "x509_signing_policies", {}) or {}).get(name)
    return renewed(x509.policies.as_mapping(found))


def ask_authority(ca_server: str, signing_policy: str | None, arguments: dict[str, Any], **more: Any) -> Any:
    """Return what a minion answers to `x509.sign_remote_certificate`."""
    only_policy = bool(more.get("only_policy"))
    answers = call(
        "publish.publish",
        ca_server,
        "x509.sign_remote_certificate",
        arg=[signing_policy, arguments, only_policy],
        timeout=_SIGN_TIMEOUT,
    )
    if not answers:
        raise InvocationError(
            "ca_server did not respond. Salt master must permit peers to "
            "call the sign_remote_certificate function."
        )
    answer = next(iter(answers.values()))
    if not isinstance(answer, dict) or "data" not in answer:
        log.error("%s: not an answer of x509.sign_remote_certificate: %r", ca_server, answer)
        raise CommandExecutionError(
            "Received invalid return value from ca_server. See minion log for details"
        )
    if answer.get("errors"):
        raise CommandExecutionError("ca_server reported errors:\n" + "\n".join(answer["errors"]))
    return answer["data"]


def _remote_policy(ca_server: str, signing_policy: str | None) -> dict[str, Any]:
    """Return the policy of another minion; it is asked for once in a run."""
    known = scratch.setdefault("_x509_policies", {}).setdefault(ca_server, {})
    if signing_policy not in known:
        answer = ask_authority(ca_server, signing_policy, {}, only_policy=True)
        policy = renewed(x509.policies.as_mapping(answer))
        if policy.get("signing_cert"):
            found = x509.loading.certificate(policy["signing_cert"])
            policy["signing_cert"] = x509.encoding.public(found).decode()
        known[signing_policy] = policy
    return dict(copy.deepcopy(known[signing_policy]))


def _refusal(policy: dict[str, Any], minion: str | None) -> str:
    """Return why a minion must not use a policy, '' when it may."""
    if not policy:
        return "signing_policy must be specified and defined on signing minion"
    if "minions" not in policy:
        return ""
    if minion is None:
        return "minion sending this request could not be identified"
    if not _is_meant(policy["minions"], minion):
        return "minion not permitted to use specified signing policy"
    return ""


def _is_meant(target: str, minion: str) -> bool:
    """Return whether a glob matches a minion; a compound target is the master's to answer."""
    if "@" not in target:
        return bool(call("match.glob", target, minion))
    answer = call("publish.runner", "match.compound_matches", arg=[target, minion])
    if answer is None:
        raise CommandExecutionError(
            "Could not check minion match for compound expression. "
            "Is this minion allowed to run `match.compound_matches` on the master?"
        )
    if not isinstance(answer, dict) or "res" not in answer:
        raise CommandExecutionError("Invalid return value of match.compound_matches.")
    return bool(answer["res"] == minion)


def _public_part(policy: dict[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in policy.items() if name not in _SECRET}
    if shown.get("signing_cert"):
        found = x509.loading.certificate(shown["signing_cert"])
        shown["signing_cert"] = x509.encoding.public(found, "der")
    return shown


def _signed(policy: dict[str, Any], kwargs: dict[str, Any]) -> bytes:
    asked = {name: value for name, value in current(kwargs).items() if name not in _OURS_TO_SAY}
    made, _ = sign(x509.policies.enforced(policy, asked))
    return x509.encoding.public(made, "der")
