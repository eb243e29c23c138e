"""Certificates for other minions: signing policies, the permission check, the request to an authority.

The authority is a minion that holds the CA key and the signing policy; other minions send it requests through
the master. Its answer is {"data": the certificate or the policy, "errors": [text]}, which is part of the wire
format between minions of any version.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import call, opts, scratch
from salt_g.errors import CommandExecutionError, InvocationError, SaltGError

log = logging.getLogger(__name__)

#: Setting present in a call on a host without a minion. Jobs that such a call publishes reach only hosts of
#: the roster, unless they carry the options in `_AMONG_MINIONS`.
_OF_HOST = "__master_opts__"
_AMONG_MINIONS = {"regular_minions": True}
#: Time limit for an answer, in seconds; large keys are slow on small machines.
_SIGN_TIMEOUT = 60


def ask(
    function: str, ca_server: str, signing_policy: str | None, arguments: dict[str, Any], *, only_policy: bool
) -> Any:
    """Request a certificate (`only_policy`: a policy) from another minion; return the data of its answer."""
    answers = call(
        "publish.publish",
        ca_server,
        function,
        arg=[signing_policy, arguments, only_policy],
        timeout=_SIGN_TIMEOUT,
        **_AMONG_MINIONS if opts.get(_OF_HOST) is not None else {},
    )
    if not answers:
        raise InvocationError(
            "ca_server did not respond. Salt master must permit peers to "
            "call the sign_remote_certificate function."
        )
    answer = next(iter(answers.values()))
    if not isinstance(answer, dict) or "data" not in answer:
        log.error("%s: invalid answer from %s: %r", ca_server, function, answer)
        raise CommandExecutionError(
            "Received invalid return value from ca_server. See minion log for details"
        )
    if answer.get("errors"):
        raise CommandExecutionError("ca_server reported errors:\n" + "\n".join(answer["errors"]))
    return answer["data"]


def answer(
    policy: dict[str, Any], minion: str | None, make: Callable[[dict[str, Any]], Any]
) -> dict[str, Any]:
    """Return the answer to a minion: the result of `make`, or why the request was refused or failed."""
    problem = refusal(policy, minion)
    if problem:
        return {"data": None, "errors": [problem]}
    policy.pop("minions", None)
    try:
        return {"data": make(policy), "errors": []}
    except (SaltGError, OSError) as exc:
        return {"data": None, "errors": [str(exc)]}


def own_policy(setting: str, name: str | None) -> Any:
    """Return a signing policy from this minion's pillar or settings, or None if there is none."""
    if name is None:
        return None
    in_pillar = call("pillar.get", setting, {}, unmask=True) or {}
    return in_pillar.get(name) or (call("config.get", setting, {}) or {}).get(name)


def remembered_policy(
    kind: str, ca_server: str, signing_policy: str | None, request: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return a signing policy of another minion; `request` is called only once per run for each policy."""
    known = scratch.setdefault(f"_{kind}_policies", {}).setdefault(ca_server, {})
    if signing_policy not in known:
        known[signing_policy] = request()
    return dict(copy.deepcopy(known[signing_policy]))


def refusal(policy: Mapping[str, Any], minion: str | None) -> str:
    """Return the reason why a minion may not use a policy, or '' if it may."""
    try:
        return _refusal(policy, minion)
    except CommandExecutionError as exc:
        log.error("%s", exc)
        return "Failed building the signing policy. See CA server log for details."


def _refusal(policy: Mapping[str, Any], minion: str | None) -> str:
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
    """Return whether a glob, or a compound target that the master evaluates, matches a minion."""
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
