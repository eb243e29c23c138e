"""`pkg.latest`: packages in the newest version that the repositories have."""

from __future__ import annotations

from typing import Any

import salt_g.states.pkg._refresh as _refresh
from salt_g.api import call, current, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, failed, outcome, would_change
from salt_g.states.pkg._versions import names_and_versions
from salt_g.states.pkg.installed import installable_versions

#: Above this number packages are counted instead of listed.
_LISTED = 10


def latest(
    name: str,
    refresh: bool | None = None,
    fromrepo: str | None = None,
    skip_verify: bool = False,
    pkgs: Any = None,
    watch_flags: bool = True,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that packages are installed in the newest available version.

    `pkgs` is a list of names; `refresh` (None: once per run) refreshes the package lists first, `fromrepo`
    prefers a release; `watch_flags` is accepted and ignored; all other arguments are passed to `pkg.install`.

    Example::

        salt-g state.single pkg.latest vim
    """
    if kwargs.get("sources"):
        return failed(name, 'The "sources" parameter is not supported.')
    if isinstance(pkgs, list) and not pkgs:
        return as_wanted(name, "No packages to install provided")
    desired = list(names_and_versions(name, pkgs, normalize=bool(pkgs)) or [])
    if not desired:
        return failed(name, 'Invalidly formatted "pkgs" parameter. See minion log.')
    kwargs["saltenv"] = current().saltenv
    refresh = _refresh.is_due(refresh)
    if "pkg.resolve_capabilities" in functions:
        desired, refresh = call("pkg.resolve_capabilities", desired, refresh=refresh, **kwargs), False
    try:
        newest = call("pkg.latest_version", *desired, fromrepo=fromrepo, refresh=refresh, **kwargs)
    except CommandExecutionError as exc:
        doing = "checking the newest available version of package(s)"
        return failed(name, f"An error was encountered while {doing}: {exc}")
    now = _by_name(call("pkg.version", *desired, **kwargs), desired)
    newest = _by_name(newest, desired)
    unknown = [each for each in desired if not newest.get(each) and not now.get(each)]
    if unknown:
        return failed(name, " ".join(f"No information found for '{each}'." for each in unknown))
    targets = {each: newest[each] for each in desired if newest.get(each)}
    if not targets:
        return as_wanted(name, _all_new(desired))
    current_already = [each for each in pkgs or [] if each not in targets]
    if opts["test"]:
        return _would_upgrade(name, targets, current_already, now)
    options = {"fromrepo": fromrepo, "skip_verify": skip_verify, **kwargs}
    return _upgrade(name, targets, current_already, options)


def _by_name(versions: Any, names: list[str]) -> dict[str, str]:
    return {names[0]: versions} if isinstance(versions, str) else versions


def _all_new(names: list[str]) -> str:
    if len(names) > _LISTED:
        return f"All {len(names)} packages are up-to-date."
    if len(names) > 1:
        return f"All packages are up-to-date ({', '.join(sorted(names))})."
    return f"Package {names[0]} is already up-to-date"


def _would_upgrade(
    name: str, targets: dict[str, str], current_already: list[str], now: dict[str, str]
) -> StateReturn:
    comments = [f"The following packages would be installed/upgraded: {', '.join(sorted(targets))}"]
    if len(current_already) > _LISTED:
        comments.append(f"{len(current_already)} packages are already up-to-date")
    elif current_already:
        versions = ", ".join(f"{each} ({now[each]})" for each in sorted(current_already))
        comments.append(f"The following packages are already up-to-date: {versions}")
    return would_change(name, "\n".join(comments), installable_versions(targets, now))


def _upgrade(
    name: str, targets: dict[str, str], current_already: list[str], options: dict[str, Any]
) -> StateReturn:
    try:
        changes = call("pkg.install", name=None, refresh=False, pkgs=list(targets), **options)
    except CommandExecutionError as exc:
        return failed(name, f"An error was encountered while installing package(s): {exc}")
    if not changes:
        return failed(name, " ".join([_nothing_happened(targets), *_already(current_already)]))
    missed = sorted(each for each in targets if not _is_reached(targets[each], changes.get(each)))
    reached = sorted(each for each in targets if each not in missed)
    comments = []
    if missed:
        comments.append(f"The following packages failed to update: {', '.join(missed)}")
    if reached:
        comments.append(f"The following packages were successfully installed/upgraded: {', '.join(reached)}")
    return outcome(name, not missed, " ".join([*comments, *_already(current_already)]), changes)


def _is_reached(wanted: str, change: Any) -> bool:
    if not change:
        return False
    new = change.get("new")
    return new is None or wanted == "latest" or wanted in new.split(",")


def _nothing_happened(targets: dict[str, str]) -> str:
    if len(targets) > _LISTED:
        return f"{len(targets)} targeted packages failed to update. See debug log for details."
    names = ", ".join(sorted(targets))
    if len(targets) > 1:
        return f"The following targeted packages failed to update. See debug log for details: ({names})."
    return f"Package {names} failed to update."


def _already(names: list[str]) -> list[str]:
    if len(names) > _LISTED:
        return [f"{len(names)} packages were already up-to-date"]
    return [f"The following packages were already up-to-date: {', '.join(sorted(names))}"] if names else []
