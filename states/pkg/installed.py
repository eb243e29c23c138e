"""`pkg.installed`: installed packages, in their wanted versions.

Source: stock docs of `pkg.installed`; conformance case `states/pkg-test`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import salt_g.states.pkg._refresh as _refresh
from salt_g.api import call, current, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._error_comment import as_text, changes_of, described
from salt_g.states._outcome import as_wanted, failed, outcome, would_change
from salt_g.states.pkg._hold import Holding, add_to_changes, set_hold
from salt_g.states.pkg._plan import PackageParams, Plan, PlanRefused, make_plan
from salt_g.states.pkg._versions import shown, split_by_success

#: Above this number packages are counted instead of listed.
_LISTED = 20
#: A longer list of installed packages (characters) is replaced with their number.
_LISTED_LENGTH = 20


def installed(
    name: str,
    version: str | None = None,
    refresh: bool | None = None,
    fromrepo: str | None = None,
    skip_verify: bool = False,
    skip_suggestions: bool = False,
    pkgs: Any = None,
    sources: Any = None,
    allow_updates: bool = False,
    pkg_verify: Any = False,
    normalize: bool = True,
    ignore_epoch: bool | None = None,
    reinstall: bool = False,
    update_holds: bool = False,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that packages are installed, and in the wanted version.

    pkgs, sources
        A list of names and of one-item mappings of name to version, or of name to package file; by default
        `name` with `version`. A version is exact, a glob, conditions (`>=1.2, <2`) or `latest`.
    allow_updates, ignore_epoch, normalize, refresh, fromrepo, skip_verify
        Accept a newer version; compare without epochs; omit the machine's architecture from names (True);
        refresh the package lists first (None: once per run); prefer a repository; verify no signatures.
    hold, update_holds, reinstall, pkg_verify
        Hold (True) or unhold (False) the packages; also change held ones; install again all, or altered ones.

    `skip_suggestions` skips the look-up of names in the package database. Others are for `pkg.install`.

    Example::

        salt-g state.single pkg.installed vim
    """
    if isinstance(pkgs, list) and not pkgs:
        return as_wanted(name, "No packages to install provided")
    if not pkgs and not sources:
        pkgs, version = [{name: version} if version else name], None
    kwargs["saltenv"] = current().saltenv
    refresh = _refresh.is_due(refresh)
    if pkgs and "pkg.resolve_capabilities" in functions:
        pkgs, refresh = call("pkg.resolve_capabilities", pkgs, refresh=refresh, **kwargs), False
    if pkg_verify and "pkg.verify" not in functions:
        return failed(name, "pkg.verify not implemented")
    args = PackageParams(
        name=name,
        pkgs=pkgs,
        sources=sources,
        version=None if version is None else str(version),
        fromrepo=fromrepo,
        skip_suggestions=skip_suggestions,
        pkg_verify=pkg_verify if isinstance(pkg_verify, list) else pkg_verify is True,
        normalize=normalize,
        ignore_epoch=ignore_epoch,
        reinstall=reinstall,
        allow_updates=allow_updates,
        saltenv=kwargs["saltenv"],
        more=kwargs,
    )
    return _reach(args, refresh, {"skip_verify": skip_verify, "update_holds": update_holds})


def _reach(args: PackageParams, refresh: bool, options: dict[str, Any]) -> StateReturn:
    try:
        plan = make_plan(args, refresh)
        if plan.is_empty:
            return _nothing_to_install(args, plan)
    except PlanRefused as exc:
        return failed(args.name, str(exc))
    if opts["test"]:
        return _would_install(args, plan)
    return _install(args, plan, refresh and not plan.was_refreshed, options)


def _nothing_to_install(args: PackageParams, plan: Plan) -> StateReturn:
    pinned = " and are at the desired version" if plan.is_pinned and not args.sources else ""
    comments = [f"All specified packages are already installed{pinned}"]
    holding = set_hold(args.name, args.pkgs, args.sources, args.more.get("hold"))
    returned = [*holding.changed, *holding.as_wanted, *holding.failed]
    comments += [each["comment"] for each in returned]
    changes = {each["name"]: each["changes"] for each in holding.changed}
    return outcome(
        args.name,
        returned[-1]["result"] if returned else True,
        ".\n".join(comments),
        changes,
        **_warnings(plan),
    )


def _would_install(args: PackageParams, plan: Plan) -> StateReturn:
    comments: list[str] = []
    changes: dict[str, Any] = {}
    if plan.targets:
        comments.append(f"The following packages would be installed/updated: {', '.join(plan.targets)}")
        changes.update(_fresh(plan.targets) if args.sources else installable_versions(plan.targets))
    if plan.unpurge:
        comments.append(
            "The following packages would have their selection status changed from 'purge' to "
            f"'install': {', '.join(plan.unpurge)}"
        )
        changes.update(_fresh(plan.unpurge))
    names = {name: _shown(args, name, plan.reinstall) for name in plan.reinstall}
    if names and args.reinstall:
        comments.append(f"The following packages would be reinstalled: {', '.join(names.values())}")
        changes.update(_fresh(names.values()))
    elif names:
        for name, text in names.items():
            why = "because the following files have been altered:"
            comments.append(f"Package '{text}' would be reinstalled {why}")
            comments.append(as_text(plan.altered[name]))
            changes[name] = {}
    return would_change(args.name, "\n".join(comments), changes, **_warnings(plan))


def installable_versions(targets: Mapping[str, Any], now: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the changes that an installation would make, according to the known package lists."""
    newest = [name for name, version in targets.items() if not version]
    found = call("pkg.latest_version", *newest, refresh=False) if newest else {}
    versions = {newest[0]: found} if isinstance(found, str) else dict(found)
    pinned = [shown(name, targets) for name in targets if name not in newest]
    if pinned and "pkg.list_repo_pkgs" in functions:
        offered = call("pkg.list_repo_pkgs", *pinned)
        versions.update({name: each[0] for name, each in offered.items() if each})
    return {
        name: {"new": versions.get(name) or "installed", "old": (now or {}).get(name, "")} for name in targets
    }


def _install(args: PackageParams, plan: Plan, refresh: bool, options: dict[str, Any]) -> StateReturn:
    changes: dict[str, Any] = {}
    done: Any = {}
    try:
        if plan.targets or plan.reinstall:
            done = call("pkg.install", name=None, refresh=refresh, **_what(args, plan), **options)
    except CommandExecutionError as exc:
        text = described(exc) if exc.info else f"An error was encountered while installing package(s): {exc}"
        return failed(args.name, text, changes_of(exc), **_warnings(plan))
    comments = [done] if isinstance(done, str) else []
    changes.update(done if isinstance(done, dict) else {})
    try:
        holding = set_hold(args.name, plan.desired, None, args.more.get("hold"))
    except PlanRefused as exc:
        return failed(args.name, "\n".join([*comments, str(exc)]), changes, **_warnings(plan))
    if plan.unpurge:
        changes["purge_desired"] = call("lowpkg.unpurge", *plan.unpurge)
    return _result(args, plan, changes, holding, comments)


def _what(args: PackageParams, plan: Plan) -> dict[str, Any]:
    """Return the arguments of `pkg.install` that select the packages."""
    arguments: dict[str, Any] = {
        "fromrepo": args.fromrepo,
        "pkgs": None,
        "sources": None,
        "reinstall": bool(plan.reinstall),
        "normalize": args.normalize,
        "ignore_epoch": args.ignore_epoch,
        "split_arch": False,
        "version": args.version,
        **args.more,
    }
    if args.sources:
        chosen = {**plan.targets, **plan.reinstall}
        arguments["sources"] = [item for item in args.sources if next(iter(item)) in chosen]
    else:
        wanted = [*plan.targets.items(), *plan.reinstall.items()]
        arguments["pkgs"] = [{name: version} for name, version in wanted]
    return arguments


def _result(
    args: PackageParams, plan: Plan, changes: dict[str, Any], holding: Holding, comments: list[str]
) -> StateReturn:
    good, bad = _split(args, plan, changes)
    _report_installed(comments, args, plan, [name for name in good if name in plan.targets])
    add_to_changes(changes, holding.changed)
    comments += [each["comment"] for each in holding.changed]
    untouched = [name for name in good if name not in plan.targets and name not in plan.reinstall]
    _report_untouched(comments, args, plan, untouched)
    comments += [each["comment"] for each in holding.as_wanted]
    missed = [name for name in bad if name in plan.targets]
    if missed:
        names = ", ".join(_shown(args, name, plan.desired) for name in missed)
        comments.insert(0, f"The following packages failed to install/update: {names}")
    comments += [each["comment"] for each in holding.failed]
    is_reinstalled = _report_reinstalled(comments, args, plan, changes)
    result = not missed and not holding.failed and is_reinstalled
    return outcome(args.name, result, "\n".join(comments), changes, **_warnings(plan))


def _split(args: PackageParams, plan: Plan, changes: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return (as wanted, not as wanted); with sources, which have no versions, the changes decide."""
    if args.sources:
        bad = [name for name in plan.targets if name not in changes]
        return [name for name in plan.desired if name not in bad], bad
    packages = call("pkg.list_pkgs", versions_as_list=True, **args.more)
    return split_by_success(plan.desired, packages, args.ignore_epoch)


def _report_installed(comments: list[str], args: PackageParams, plan: Plan, names: list[str]) -> None:
    summary = ", ".join(_shown(args, name, plan.desired) for name in names)
    if names and len(summary) < _LISTED_LENGTH:
        comments.append(f"The following packages were installed/updated: {summary}")
    elif names:
        comments.append(f"{_counted(names)} installed/updated.")


def _report_untouched(comments: list[str], args: PackageParams, plan: Plan, names: list[str]) -> None:
    if names and len(names) <= _LISTED:
        summary = ", ".join(_shown(args, name, plan.desired) for name in names)
        comments.append(f"The following packages were already installed: {summary}")
    elif names:
        comments.append(f"{_counted(names)} already installed")


def _report_reinstalled(
    comments: list[str], args: PackageParams, plan: Plan, changes: Mapping[str, Any]
) -> bool:
    """Add the result of each package to reinstall; return whether all succeeded."""
    is_good = True
    for name in plan.reinstall:
        altered = plan.altered.get(name)
        if args.reinstall:
            is_done = name in changes
        else:
            left = call("pkg.verify", name, **args.verify_options(), **args.more)
            is_done, altered = not left, left or altered
        text = _shown(args, name, plan.desired)
        comments.append(
            f"Package {text} was reinstalled."
            if is_done
            else f"Reinstall was not successful for package {text}."
        )
        if altered:
            comments[-1] += f" The following files {'were' if is_done else 'could not be'} remediated:"
            comments.append(as_text(altered))
        is_good = is_good and is_done
    return is_good


def _counted(names: list[str]) -> str:
    return f"{len(names)} targeted packages were" if len(names) > 1 else f"{len(names)} targeted package was"


def _shown(args: PackageParams, name: str, wanted: Mapping[str, Any]) -> str:
    return name if args.sources else shown(name, wanted)


def _fresh(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"new": "installed", "old": ""} for name in names}


def _warnings(plan: Plan) -> dict[str, Any]:
    return {"warnings": plan.warnings} if plan.warnings else {}
