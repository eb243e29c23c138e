"""Packages fetched without installation, and patches where the platform has them."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._error_comment import changes_of, described
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states.pkg._plan import PackageParams, PlanRefused, refuse_unknown
from salt_g.states.pkg._versions import fulfils, names_and_versions, shown, split_by_success


def downloaded(
    name: str,
    version: str | None = None,
    pkgs: Any = None,
    fromrepo: str | None = None,
    ignore_epoch: bool | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that packages are in the package manager's cache.

    `version`, `pkgs`, `fromrepo`, `ignore_epoch` and `skip_suggestions` are those of `pkg.installed`; all
    other arguments are passed to `pkg.install`.

    Example::

        salt-g state.single pkg.downloaded vim
    """
    if "pkg.list_downloaded" not in functions:
        return failed(name, "The pkg.downloaded state is not available on this platform")
    if isinstance(pkgs, list) and not pkgs:
        return as_wanted(name, "No packages to download provided")
    pkgs = pkgs or [{name: version} if version else name]
    more = {key: value for key, value in kwargs.items() if key != "downloadonly"}
    wanted = names_and_versions(name, pkgs, normalize=more.get("normalize", True))
    if not wanted:
        return failed(name, "Invalidly formatted pkgs parameter. See minion log.")
    cached = call("pkg.list_downloaded", **more)
    targets = {
        package: version
        for package, version in wanted.items()
        if not cached.get(package)
        or (version and not fulfils(cached[package], version, ignore_epoch=ignore_epoch))
    }
    skip = more.pop("skip_suggestions", False)
    try:
        refuse_unknown(
            PackageParams(name, pkgs, None, fromrepo=fromrepo, skip_suggestions=skip, more=more), targets
        )
    except PlanRefused as exc:
        return failed(name, str(exc))
    if not targets:
        pinned = " (matching specified versions)" if any(wanted.values()) else ""
        return as_wanted(name, f"All specified packages{pinned} are already downloaded")
    if opts["test"]:
        return would_change(name, f"The following packages would be downloaded: {', '.join(targets)}")
    options = {"pkgs": pkgs, "fromrepo": fromrepo, "ignore_epoch": ignore_epoch, **more}
    return _download(name, targets, ignore_epoch, options)


def _download(
    name: str, targets: dict[str, str | None], ignore_epoch: bool | None, options: dict[str, Any]
) -> StateReturn:
    try:
        changes = call("pkg.install", name=name, downloadonly=True, **options)
    except CommandExecutionError as exc:
        return _failure(name, exc)
    missed = split_by_success(targets, call("pkg.list_downloaded"), ignore_epoch)[1]
    if missed:
        names = ", ".join(shown(each, targets) for each in missed)
        return failed(name, f"The following packages failed to download: {names}", changes)
    return changed(name, "" if changes else f"Packages downloaded: {', '.join(targets)}", changes)


def patch_installed(
    name: str, advisory_ids: Any = None, downloadonly: bool | None = None, **kwargs: Any
) -> StateReturn:
    """Ensure that patches are installed, where the platform has patches.

    `advisory_ids` is a list of their ids (by default `name`); `downloadonly` only fetches them.

    Example::

        salt-g state.single pkg.patch_installed SUSE-PATCH-1
    """
    if "pkg.list_patches" not in functions:
        return failed(name, "The pkg.patch_installed state is not available on this platform")
    if isinstance(advisory_ids, list) and not advisory_ids:
        return as_wanted(name, "No advisory ids provided")
    there = call("pkg.list_installed_patches", **kwargs)
    if not advisory_ids and there.get(name):
        return as_wanted(name, f"Advisory patch {name} is already installed")
    targets = [patch for patch in advisory_ids or [name] if not there.get(patch)]
    if not targets:
        return as_wanted(name, "All specified advisory patches are already installed")
    if opts["test"]:
        return would_change(name, f"The following advisory patches would be downloaded: {', '.join(targets)}")
    options = {"advisory_ids": advisory_ids, "downloadonly": downloadonly, **kwargs}
    try:
        changes = call("pkg.install", name=name, **options)
    except CommandExecutionError as exc:
        return _failure(name, exc)
    done = "downloaded" if downloadonly else "installed"
    nothing = f"Advisory patch is not needed or related packages are already {done}"
    return changed(name, "" if changes else nothing, changes)


def patch_downloaded(name: str, advisory_ids: Any = None, **kwargs: Any) -> StateReturn:
    """Ensure that patches are in the package manager's cache, where the platform has patches.

    `advisory_ids` is a list of their ids (by default `name`).

    Example::

        salt-g state.single pkg.patch_downloaded SUSE-PATCH-1
    """
    if "pkg.list_patches" not in functions:
        return failed(name, "The pkg.patch_downloaded state is not available on this platform")
    more = {key: value for key, value in kwargs.items() if key != "downloadonly"}
    return patch_installed(name, advisory_ids=advisory_ids, downloadonly=True, **more)


def _failure(name: str, exc: CommandExecutionError) -> StateReturn:
    if exc.info:
        return failed(name, described(exc), changes_of(exc))
    return failed(name, f"An error was encountered while downloading package(s): {exc}")
