"""Checks of settings at the start of a master, also for commands that check settings without one.

Each check belongs to the part that reads the setting, and is imported only if the setting is present.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from salt_g.errors import ConfigError, TargetError
from salt_g.shapes import Opts


def problems(opts: Opts, origins: Mapping[str, str]) -> list[str]:
    """Return one sentence for each setting that would prevent the start, with its location."""
    return [
        f"{origins.get(name, 'unknown place')}: {problem}"
        for name, check in _CHECKS.items()
        if opts.get(name)
        for problem in _problems_of(check, opts)
    ]


def _problems_of(check: Callable[[Opts], object], opts: Opts) -> Iterator[str]:
    try:
        check(opts)
    except ConfigError as exc:
        yield from exc.problems


def _check_audit_log(opts: Opts) -> None:
    from salt_g.telemetry.audit_chain import check_path

    check_path(opts["audit_log"])


def _check_cluster(opts: Opts) -> None:
    from salt_g.cluster.cluster_settings import ClusterSettings

    ClusterSettings.of(opts)


def _check_freezes(opts: Opts) -> None:
    from salt_g.loader.part_plugins import PartPlugins
    from salt_g.master.locks.lock import check_freezes, freezes_of

    def find(tgt: Any, tgt_type: str, delimiter: str) -> None:
        if not PartPlugins(opts, "matchers").has(f"{tgt_type}_match.match"):
            raise TargetError(f"target type {tgt_type!r} does not exist")

    check_freezes(freezes_of(opts["change_freezes"]), opts["nodegroups"] or {}, find)


def _check_guard(opts: Opts) -> None:
    from salt_g.master.publishing.rollout_guard import guard_of

    guard_of(opts["rollout_guard"])


def _check_sources(opts: Opts) -> None:
    from salt_g.master.calls.clear_command_sources import ClearCommandSources

    ClearCommandSources(opts["clear_commands_from"])


#: {setting: its check, which raises ConfigError}
_CHECKS: Mapping[str, Callable[[Opts], object]] = {
    "audit_log": _check_audit_log,
    "change_freezes": _check_freezes,
    "clear_commands_from": _check_sources,
    "cluster": _check_cluster,
    "rollout_guard": _check_guard,
}
