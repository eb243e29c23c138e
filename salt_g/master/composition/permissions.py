"""Permissions of users on a master: logins, authorization with its audit chain, and locks against changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from salt_g.auth.delays import Delays
from salt_g.auth.logins import Logins
from salt_g.master.calls.authorization import Authorization
from salt_g.master.composition.persistence import Persistence
from salt_g.master.composition.targeting import Targeting
from salt_g.master.locks.lock import check_freezes, freezes_of
from salt_g.master.locks.lock_commands import LockCommands
from salt_g.master.locks.locks import Locks
from salt_g.master.publishing.target_resolution import TargetResolution
from salt_g.master.settings import AuthorizationSettings
from salt_g.shapes import Opts

#: Function that writes a line of the audit chain.
Write = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class Permissions:
    """Parts that decide what users may do; `audit` writes the audit chain, None without one."""

    logins: Logins
    authorization: Authorization
    locks: Locks
    lock_commands: LockCommands
    audit: Write | None


def compose_permissions(opts: Opts, persistence: Persistence, targeting: Targeting) -> Permissions:
    """Create the parts.

    Raise ConfigError if the settings are wrong, or if another master owns the audit chain.
    """
    logins = Logins(opts, persistence.tokens, Delays(), persistence.scoped_tokens)
    audit = _audit(opts)
    authorization = _authorization(opts, persistence, targeting, logins, audit)
    locks = _locks(opts, persistence, targeting, audit)
    return Permissions(logins, authorization, locks, LockCommands(authorization, locks), audit)


def _audit(opts: Opts) -> Write | None:
    """Return the writer of the audit chain, None without one; raise ConfigError if another master owns it."""
    if not opts["audit_log"]:
        return None
    # Imported lazily: few masters have an audit chain.
    from salt_g.telemetry.audit_chain import AuditChain

    chain = AuditChain(
        opts["audit_log"], max_bytes=int(opts["audit_log_bytes"]), files=int(opts["audit_log_files"])
    )
    chain.claim()
    return chain.write


def _authorization(
    opts: Opts, persistence: Persistence, targeting: Targeting, logins: Logins, audit: Write | None
) -> Authorization:
    settings = AuthorizationSettings.of(opts)
    resolve = partial(_resolve, targeting.targets)
    if audit is None:
        return Authorization(settings, persistence.user_keys, logins=logins, resolve=resolve)
    from salt_g.master.calls.audited_authorization import AuditedAuthorization

    return AuditedAuthorization(audit, settings, persistence.user_keys, logins=logins, resolve=resolve)


def _locks(opts: Opts, persistence: Persistence, targeting: Targeting, audit: Write | None) -> Locks:
    def resolve(tgt: Any, tgt_type: str, delimiter: str) -> list[str]:
        return targeting.targets.resolve_all(tgt, tgt_type, delimiter=delimiter).minions

    freezes = freezes_of(opts["change_freezes"])
    nodegroups = opts["nodegroups"] or {}
    check_freezes(freezes, nodegroups, resolve)
    return Locks(
        persistence.banks,
        freezes=freezes,
        exempt=opts["lock_exempt"] or [],
        resolve=resolve,
        nodegroups=nodegroups,
        is_shared=bool(opts.get("cluster")),
        on_refusal=None if audit is None else partial(_write_refusal, audit),
    )


def _write_refusal(audit: Write, about: Mapping[str, Any]) -> None:
    audit({"what": "lock", **about})


def _resolve(
    targets: TargetResolution, tgt: Any, tgt_type: str, delimiter: str, greedy: bool
) -> frozenset[str]:
    """Return the ids of a target, for permission checks."""
    return frozenset(targets.resolve_all(tgt, tgt_type, delimiter=delimiter, greedy=greedy).minions)
