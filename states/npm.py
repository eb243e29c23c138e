"""States of npm packages, directories with a `package.json`, and the cache."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change

#: `name` or `@scope/name`, with an optional `@version`.
_WISH = re.compile(r"(@?[^@\s]+)(?:@(\S+))?")


def __virtual__() -> bool | tuple[bool, str]:
    return True if "npm.list" in functions else (False, "'npm' binary not found on system")


def installed(
    name: str,
    pkgs: Any = None,
    dir: str | None = None,
    user: str | None = None,
    force_reinstall: bool = False,
    registry: str | None = None,
    env: Any = None,
) -> StateReturn:
    """Ensure that a package (`name` or `name@version`), or each of `pkgs`, is installed.

    `dir` is the directory to install into (None: globally), `user` the user to run npm as, `registry` the
    URL of a registry, and `env` a mapping of environment variables.

    Example::

        salt-g state.single npm.installed coffee-script@1.0.1
    """
    specs = [str(pkg) for pkg in pkgs] if pkgs else [name]
    try:
        there = call("npm.list", dir=dir, runas=user, env=env, depth=0)
    except CommandExecutionError as exc:
        return failed(name, f"Error looking up '{name}': {exc}")
    found = {wanted: None if force_reinstall is True else _satisfied_by(wanted, there) for wanted in specs}
    missing = [wanted for wanted, package in found.items() if package is None]
    satisfied = [package for package in found.values() if package is not None]
    returned = f"Package(s) '{', '.join(specs)}' satisfied by {', '.join(satisfied)}"
    if not missing:
        return as_wanted(name, returned)
    changes = {"old": [], "new": missing}
    if opts["test"]:
        comment = f"NPM package(s) '{', '.join(missing)}' are set to be installed"
        return would_change(name, f"{comment}. {returned}" if satisfied else comment, changes)
    try:
        call("npm.install", dir=dir, runas=user, registry=registry, env=env, pkgs=specs)
    except CommandExecutionError as exc:
        return failed(name, f"Error installing '{', '.join(specs)}': {exc}")
    return changed(name, f"Package(s) '{', '.join(missing)}' successfully installed", changes)


def removed(name: str, dir: str | None = None, user: str | None = None) -> StateReturn:
    """Ensure that a package is not installed.

    Example::

        salt-g state.single npm.removed coffee-script
    """
    try:
        there = call("npm.list", dir=dir, runas=user, depth=0)
    except CommandExecutionError as exc:
        return failed(name, f"Error uninstalling '{name}': {exc}")
    if name not in there:
        return as_wanted(name, f"Package '{name}' is not installed")
    if opts["test"]:
        return would_change(name, f"Package '{name}' is set to be removed")
    if not call("npm.uninstall", pkg=name, dir=dir, runas=user):
        return failed(name, f"Error removing package '{name}'")
    return changed(name, f"Package '{name}' was successfully removed", {name: "Removed"})


def bootstrap(name: str, user: str | None = None, silent: bool = True) -> StateReturn:
    """Ensure that the dependencies in a directory's `package.json` are installed.

    Example::

        salt-g state.single npm.bootstrap /srv/app
    """
    dry = {"dry_run": True} if opts["test"] else {}
    try:
        returned = call("npm.install", dir=name, runas=user, pkg=None, silent=silent, **dry)
    except CommandExecutionError as exc:
        return failed(name, f"Error Bootstrapping '{name}': {exc}")
    if opts["test"]:
        if not returned:
            return as_wanted(name, f"{name} is already bootstrapped")
        return would_change(name, f"{name} is set to be bootstrapped", {"old": [], "new": returned})
    if not returned:
        return as_wanted(name, "Directory is already bootstrapped")
    if isinstance(returned, str):
        return failed(name, f"Could not bootstrap directory: {returned}")
    return changed(name, "Directory was successfully bootstrapped", {name: "Bootstrapped"})


def cache_cleaned(name: str | None = None, user: str | None = None, force: bool = False) -> StateReturn:
    """Ensure that npm's cache does not contain the package `name`, or is empty if there is no `name`.

    npm 5 and later require `force`.

    Example::

        salt-g state.single npm.cache_cleaned coffee-script force=True
    """
    title, what = str(name or ""), name or "packages"
    try:
        cached = call("npm.cache_list", path=name, runas=user)
    except CommandExecutionError as exc:
        return failed(title, f"Error looking up cached {what}: {exc}")
    if name and name not in cached:
        return as_wanted(title, f"Package {name} is not in the cache")
    if opts["test"]:
        return would_change(title, f"Cached {what} set to be removed")
    is_good = call("npm.cache_clean", path=name, runas=user, force=force)
    changes = {name or "cache": "Removed"} if is_good else {}
    returned = f"Cached {what} successfully removed" if is_good else f"Error cleaning cached {what}"
    return outcome(title, is_good, returned, changes)


def _satisfied_by(wanted: str, there: Mapping[str, Any]) -> str | None:
    """Return `name@version` of a matching installed package, or None if there is none."""
    parts = _WISH.match(wanted)
    name, version = parts.groups() if parts else (wanted, None)
    package = there.get(name) or next((each for each in there.values() if _is_from(each, wanted)), None)
    if not package or "version" not in package or version not in (None, package["version"]):
        return None
    return f"{name}@{package['version']}"


def _is_from(package: Mapping[str, Any], wanted: str) -> bool:
    """Return whether a package was installed from this URL, ignoring the scheme and a final `.git`."""
    places = [
        text.partition("://")[2].removesuffix(".git") for text in (str(package.get("from", "")), wanted)
    ]
    return bool(places[0]) and places[0] == places[1]
