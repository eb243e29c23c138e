"""Plan of `pkg.installed`.

The plan is the same for the real run and test mode, and making it changes no packages.
Errors: PlanRefused, with the comment of the state.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, functions
from salt_g.data.version_conditions import conditions
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.states.pkg._versions import fulfils, names_and_versions, normalized


class PlanRefused(Exception):
    """Impossible request; the text is the comment of the state."""


@dataclasses.dataclass
class PackageParams:
    """Arguments of the state."""

    name: str
    pkgs: Any
    sources: Any
    version: str | None = None
    fromrepo: str | None = None
    skip_suggestions: bool = False
    pkg_verify: Any = False
    normalize: bool = True
    ignore_epoch: bool | None = None
    reinstall: bool = False
    allow_updates: bool = False
    saltenv: str = "base"
    more: dict[str, Any] = dataclasses.field(default_factory=dict)

    def verify_options(self) -> dict[str, Any]:
        """Return `ignore_types` and `verify_options` of a `pkg_verify` that is a list."""
        given = self.pkg_verify if isinstance(self.pkg_verify, list) else []
        found: dict[str, list[Any]] = {"ignore_types": [], "verify_options": []}
        for item in reversed(given):
            found.update({key: item[key] for key in found if isinstance(item, Mapping) and key in item})
        return found


@dataclasses.dataclass
class Plan:
    """Actions to take: all wanted packages, and the subset that needs an action.

    `altered` holds the findings of `pkg.verify` on packages to reinstall; `is_pinned` is whether a version
    was compared; `was_refreshed` whether the repositories were refreshed.
    """

    desired: dict[str, Any]
    targets: dict[str, Any] = dataclasses.field(default_factory=dict)
    reinstall: dict[str, Any] = dataclasses.field(default_factory=dict)
    unpurge: list[str] = dataclasses.field(default_factory=list)
    altered: dict[str, Any] = dataclasses.field(default_factory=dict)
    warnings: list[str] = dataclasses.field(default_factory=list)
    is_pinned: bool = False
    was_refreshed: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing needs to be done."""
        return not (self.targets or self.reinstall or self.unpurge)


def make_plan(args: PackageParams, refresh: bool) -> Plan:
    """Return the plan; raises PlanRefused."""
    if args.pkgs and args.sources:
        raise PlanRefused('Only one of "pkgs" and "sources" is permitted.')
    try:
        current = call("pkg.list_pkgs", versions_as_list=True, **args.more)
    except CommandExecutionError as exc:
        raise PlanRefused(str(exc)) from exc
    plan = Plan(_desired(args))
    purging = call("pkg.list_pkgs", purge_desired=True, **args.more)
    plan.unpurge = [name for name in plan.desired if name in purging]
    if not args.sources:
        refuse_unknown(args, _not_there(args, plan.desired, current))
        _resolve_latest(plan, current, refresh, args)
    problems = [problem for name in plan.desired for problem in _decide(plan, args, name, current)]
    if problems:
        raise PlanRefused(" ".join(problems))
    return plan


def refuse_unknown(args: PackageParams, missing: Mapping[str, Any]) -> None:
    """Raise PlanRefused with suggestions if the platform's package database lacks a package."""
    if args.skip_suggestions or not missing or "pkg.check_db" not in functions:
        return
    try:
        known = call("pkg.check_db", *missing, fromrepo=args.fromrepo, **args.more)
    except CommandExecutionError:
        return
    unknown = {name: info["suggestions"] for name, info in known.items() if info["found"] is False}
    hopeless = sorted(name for name, suggestions in unknown.items() if not suggestions)
    texts = [
        f"Package '{name}' not found (possible matches: {', '.join(suggestions)})"
        for name, suggestions in unknown.items()
        if suggestions
    ]
    if hopeless:
        texts.insert(
            0,
            "The following package(s) were not found, and no possible matches were found in the "
            f"package db: {', '.join(hopeless)}",
        )
    if texts:
        raise PlanRefused(". ".join([*texts, ""] if len(texts) > 1 else texts).rstrip())


def _desired(args: PackageParams) -> dict[str, Any]:
    if args.sources:
        desired = call("pkg_resource.pack_sources", args.sources, normalize=args.normalize)
    else:
        # The architecture is stripped to find installed packages, not to install them.
        desired = names_and_versions(args.name, args.pkgs, args.version, normalize=False)
    if not desired:
        what = "sources" if args.sources else "pkgs"
        raise PlanRefused(f"Invalidly formatted '{what}' parameter. See minion log.")
    return dict(desired)


def _not_there(args: PackageParams, desired: Mapping[str, Any], current: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: version
        for name, version in desired.items()
        if name not in current
        or not (version is None or fulfils(current[name], version, ignore_epoch=args.ignore_epoch))
    }


def _resolve_latest(plan: Plan, current: Mapping[str, Any], refresh: bool, args: PackageParams) -> None:
    """Replace the version `latest` with real versions."""
    names = [name for name, version in plan.desired.items() if version == "latest"]
    if not names:
        return
    newest = call("pkg.latest_version", *names, refresh=refresh, fromrepo=args.fromrepo, **args.more)
    newest = {names[0]: newest} if len(names) == 1 else newest
    plan.was_refreshed = refresh
    for name in names:
        plan.desired[name] = newest.get(name) or (current[name][-1] if name in current else None)


def _decide(plan: Plan, args: PackageParams, name: str, current: Mapping[str, Any]) -> list[str]:
    """Add one package to the plan; return its problems."""
    wanted = plan.desired[name]
    versions = current.get(name) or current.get(normalized(name)) or _provider_versions(args, name, current)
    if not versions:
        plan.targets[name] = wanted
    elif args.reinstall:
        plan.reinstall[name] = wanted
    elif args.sources:
        return _decide_source(plan, args, name, versions)
    elif not call("pkg_resource.check_extra_requirements", name, wanted):
        plan.targets[name] = wanted
    elif call("pkg_resource.version_clean", wanted) is None:
        return _verify(plan, args, name)
    else:
        return _decide_version(plan, args, name, versions, wanted)
    return []


def _provider_versions(args: PackageParams, name: str, current: Mapping[str, Any]) -> Any:
    """Return the versions of the first package that provides a capability, or [] if that is unknown."""
    if not args.more.get("resolve_capabilities") or "pkg.list_provides" not in functions:
        return []
    providers = call("pkg.list_provides", **args.more).get(name)
    return current.get(providers[0], []) if providers else []


def _decide_version(plan: Plan, args: PackageParams, name: str, versions: Any, wanted: str) -> list[str]:
    plan.is_pinned = True
    if fulfils(versions, wanted, ignore_epoch=args.ignore_epoch, allow_updates=args.allow_updates):
        return []
    if args.pkg_verify and any(operator == "==" for operator, _ in conditions(wanted)):
        return _verify(plan, args, name)
    plan.targets[name] = wanted
    return []


def _decide_source(plan: Plan, args: PackageParams, name: str, versions: Any) -> list[str]:
    """Plan to replace an installed package if the package file has another version; return the problems."""
    source = plan.desired[name]
    if "lowpkg.bin_pkg_info" not in functions:
        return []
    try:
        path = call("cp.cache_file", source, saltenv=args.saltenv)
    except CommandExecutionError as exc:
        return [f"Unable to cache {source}: {exc}"]
    if not path:
        return [f"Unable to cache {source}: file not found"]
    if not os.path.exists(path):
        return [f"{source} does not exist on minion"]
    package = call("lowpkg.bin_pkg_info", path)
    if package is None:
        plan.warnings.append(f"Failed to parse metadata for {source}")
    elif not fulfils(versions, package["version"], ignore_epoch=args.ignore_epoch):
        plan.targets[name] = source
    return []


def _verify(plan: Plan, args: PackageParams, name: str) -> list[str]:
    """Plan to reinstall a package with altered files if `pkg_verify` is set; return the problems."""
    if not args.pkg_verify:
        return []
    try:
        altered = call("pkg.verify", name, **args.verify_options(), **args.more)
    except (CommandExecutionError, InvocationError) as exc:
        return [str(exc)]
    if altered:
        plan.reinstall[name] = plan.desired[name]
        plan.altered[name] = altered
    return []
