"""Signing policies of SSH certificates.

The signer applies them, and so does the state, to determine whether a certificate must be renewed. A policy
forces the arguments it names; `default_…` may be overridden, `allowed_…` limits what may be requested.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.shapes import Arguments
from salt_g.x509 import times
from salt_g.x509.policies import as_mapping
from salt_g.x509.times import span_seconds

_OPTIONS = ("critical_options", "extensions")
#: Keys of a policy whose values are combined with the arguments instead of replacing them.
_WORKED_IN = (
    *(f"{prefix}{name}" for prefix in ("", "default_", "allowed_") for name in _OPTIONS),
    *("valid_principals", "allowed_valid_principals", "default_valid_principals", "ttl", "max_ttl"),
)


def enforced(policy: Any, arguments: Mapping[str, Any]) -> Arguments:
    """Return the arguments of `plans.plan` with a policy applied."""
    policy = as_mapping(policy)
    if not policy:
        return dict(arguments)
    rest = {name: value for name, value in policy.items() if name not in _WORKED_IN}
    options = {name: _options(policy, arguments, name) for name in _OPTIONS}
    return {**arguments, **options, **_principals(policy, arguments), **_validity(policy, arguments), **rest}


def _options(policy: Mapping[str, Any], asked: Mapping[str, Any], name: str) -> Arguments | None:
    """Return defaults, overridden by allowed requested options, overridden by forced ones."""
    allowed = policy.get(f"allowed_{name}", ["*"])
    wanted = {
        option: value
        for option, value in (asked.get(name) or {}).items()
        if "*" in allowed or option in allowed
    }
    return {**(policy.get(f"default_{name}") or {}), **wanted, **(policy.get(name) or {})} or None


def _principals(policy: Mapping[str, Any], asked: Mapping[str, Any]) -> Arguments:
    """Return the requested principals that are allowed; a policy with a limit excludes `all_principals`."""
    allowed = policy.get("allowed_valid_principals", policy.get("valid_principals"))
    default = policy.get("default_valid_principals", allowed)
    if allowed is None:
        return {}
    wanted = [name for name in allowed if name in (asked.get("valid_principals") or [])]
    if not asked.get("valid_principals") and asked.get("all_principals"):
        wanted = allowed
    return {"valid_principals": wanted or default, "all_principals": False}


def _validity(policy: Mapping[str, Any], asked: Mapping[str, Any]) -> Arguments:
    """Return start and end of validity as requested, but no longer than allowed."""
    default = span_seconds(policy.get("ttl"))
    longest = span_seconds(policy.get("max_ttl", default))
    begin = times.moment(asked["not_before"]) if asked.get("not_before") else times.now()
    wanted = span_seconds(asked.get("ttl"))
    if asked.get("not_after"):
        wanted = (times.moment(asked["not_after"]) - begin).total_seconds()
    if wanted is None:
        span = longest if default is None else default
    else:
        span = wanted if longest is None else min(wanted, longest)
    if span is None:
        return {}
    return {"ttl": span, "not_before": times.shown(begin), "not_after": times.shown(times.after(begin, span))}
