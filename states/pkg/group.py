"""`pkg.group_installed`: package groups, where the platform's package manager has them."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._error_comment import changes_of, described
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def group_installed(name: str, skip: Any = None, include: Any = None, **kwargs: Any) -> StateReturn:
    """Ensure that a package group is installed.

    `skip` is a list of packages of the group not to install, `include` a list of further packages.

    Example::

        salt-g state.single pkg.group_installed 'Development Tools'
    """
    if "pkg.group_diff" not in functions:
        return failed(name, "pkg.group_install not available for this platform")
    for argument, value in (("skip", skip), ("include", include)):
        if value is not None and not isinstance(value, list):
            return failed(name, f"{argument} must be formatted as a list")
    skipped, included = [str(each) for each in skip or []], [str(each) for each in include or []]
    try:
        diff = call("pkg.group_diff", name, **{key: kwargs[key] for key in kwargs if key[:2] != "__"})
    except CommandExecutionError as exc:
        return failed(name, f"An error was encountered while installing/updating group '{name}': {exc}.")
    mandatory = diff["mandatory"]
    forbidden = [each for each in mandatory["installed"] + mandatory["not installed"] if each in skipped]
    if forbidden:
        return failed(name, f"The following mandatory packages cannot be skipped: {', '.join(forbidden)}")
    optional = [each for each in diff["default"]["not installed"] if each not in skipped]
    targets = [*mandatory["not installed"], *optional, *included]
    if not targets:
        return as_wanted(name, f"Group '{name}' is already installed")
    is_partial = any(diff[kind]["installed"] for kind in ("mandatory", "default", "optional"))
    if opts["test"]:
        what = "is partially installed and will be updated" if is_partial else "will be installed"
        return would_change(name, f"Group '{name}' {what}")
    required = [*mandatory["not installed"], *included]
    return _install(name, targets, required, "updated" if is_partial else "installed", kwargs)


def _install(
    name: str, targets: list[str], required: list[str], done: str, more: dict[str, Any]
) -> StateReturn:
    try:
        changes = call("pkg.install", pkgs=targets, **more)
    except CommandExecutionError as exc:
        doing = f"An error was encountered while installing/updating group '{name}': {exc}"
        return failed(name, described(exc) if exc.info else doing, changes_of(exc))
    packages = call("pkg.list_pkgs", **more)
    missed = [each for each in required if each not in packages]
    if missed:
        return failed(name, f"Failed to install the following packages: {', '.join(missed)}", changes)
    return changed(name, f"Group '{name}' was {done}", changes)
