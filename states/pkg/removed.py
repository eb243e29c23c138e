"""`pkg.removed` and `pkg.purged`: removed packages, with or without their configuration."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, current, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._error_comment import changes_of, described
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.pkg._versions import fulfils, names_and_versions


def removed(
    name: str,
    version: str | None = None,
    pkgs: Any = None,
    normalize: bool = True,
    ignore_epoch: bool | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that packages are not installed; their configuration is kept.

    `pkgs` is a list of names and of one-item mappings of name to version, by default `name` with `version`;
    with a version, only that version is removed.

    Example::

        salt-g state.single pkg.removed nano
    """
    try:
        wanted = _wanted(name, version, pkgs, normalize)
        targets, is_pinned = _installed_targets(wanted, ignore_epoch, kwargs)
        if not targets:
            pinned = " (matching specified versions)" if is_pinned else ""
            return as_wanted(name, f"All specified packages{pinned} are already absent")
        return _uninstall("remove", name, pkgs, version, wanted, sorted(targets), kwargs)
    except CommandExecutionError as exc:
        return _failure(name, "removing", exc)


def purged(
    name: str,
    version: str | None = None,
    pkgs: Any = None,
    normalize: bool = True,
    ignore_epoch: bool | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that neither packages nor their configuration exist. The arguments are those of `pkg.removed`.

    Example::

        salt-g state.single pkg.purged nano
    """
    try:
        wanted = _wanted(name, version, pkgs, normalize)
        targets, _ = _installed_targets(wanted, ignore_epoch, kwargs)
        left = call("pkg.list_pkgs", versions_as_list=True, removed=True, **kwargs)
        targets += [each for each in wanted if each in left]
        if not targets:
            return as_wanted(name, "None of the targeted packages are installed or partially installed")
        return _uninstall("purge", name, pkgs, version, wanted, sorted(targets), kwargs)
    except CommandExecutionError as exc:
        return _failure(name, "purging", exc)


def _wanted(name: str, version: str | None, pkgs: Any, normalize: bool) -> dict[str, str | None]:
    wanted = names_and_versions(name, pkgs, version, normalize=normalize)
    if not wanted:
        raise CommandExecutionError("Invalidly formatted pkgs parameter. See minion log.")
    return dict(wanted)


def _installed_targets(
    wanted: dict[str, str | None], ignore_epoch: bool | None, more: dict[str, Any]
) -> tuple[list[str], bool]:
    """Return the installed packages in the version to remove, and whether a version was compared."""
    current_packages = call("pkg.list_pkgs", versions_as_list=True, **more)
    there = {name: version for name, version in wanted.items() if current_packages.get(name)}
    pinned = [
        name for name, version in there.items() if call("pkg_resource.version_clean", version) is not None
    ]
    targets = [
        name
        for name, version in there.items()
        if name not in pinned or fulfils(current_packages[name], str(version), ignore_epoch=ignore_epoch)
    ]
    return targets, bool(pinned)


def _uninstall(
    action: str,
    name: str,
    pkgs: Any,
    version: str | None,
    wanted: dict[str, str | None],
    targets: list[str],
    more: dict[str, Any],
) -> StateReturn:
    if opts["test"]:
        changes: dict[str, Any] = {each: {"new": f"{action}d", "old": ""} for each in targets}
        return would_change(name, f"The following packages will be {action}d: {', '.join(targets)}.", changes)
    more = {**more, "saltenv": current().saltenv}
    changes = call(f"pkg.{action}", name, pkgs=pkgs, version=version, split_arch=False, **more)
    still = _still_there(action, wanted, more)
    if still:
        return failed(name, f"The following packages failed to {action}: {', '.join(still)}.", changes)
    others = sorted(each for each in wanted if each not in targets)
    if not others:
        return changed(name, f"All targeted packages were {action}d.", changes)
    return changed(
        name,
        f"The following packages were not installed: {', '.join(others)} "
        f"The following packages were {action}d: {', '.join(targets)}.",
        changes,
    )


def _still_there(action: str, wanted: dict[str, str | None], more: dict[str, Any]) -> list[str]:
    lists = [call("pkg.list_pkgs", versions_as_list=True, **more)]
    if action == "purge":
        lists.append(call("pkg.list_pkgs", versions_as_list=True, removed=True, **more))
    return sorted(each for packages in lists for each in wanted if each in packages)


def _failure(name: str, doing: str, exc: CommandExecutionError) -> StateReturn:
    if exc.info:
        return failed(name, described(exc), changes_of(exc))
    return failed(name, f"An error was encountered while {doing} package(s): {exc}")
