"""Versions of Python, and pyenv itself, which is installed with git when a version needs it."""

from __future__ import annotations

import re

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def installed(name: str, default: bool = False, user: str | None = None) -> StateReturn:
    """Ensure that a version of Python is installed.

    `default` also makes it the default version; `user` is the user whose pyenv is used.

    Example::

        salt-g state.single pyenv.installed 3.12.1 default=True
    """
    version = _version(name)
    if version in _versions(user):
        if default and not opts["test"]:
            _make_default(version, user)
        return as_wanted(name, "Requested python exists.")
    if opts["test"]:
        return would_change(name, f"python {name} is set to be installed")
    if not _has_pyenv(user):
        return failed(name, "pyenv failed to install")
    # A build that printed nothing is judged by its result.
    if not call("pyenv.install_python", version, runas=user) and version not in _versions(user):
        return failed(name, "Could not install python.")
    if default:
        _make_default(version, user)
    return changed(name, "Successfully installed python", {version: "Installed"})


def absent(name: str, user: str | None = None) -> StateReturn:
    """Ensure that a version of Python is not installed; `user` as in `pyenv.installed`.

    Example::

        salt-g state.single pyenv.absent 3.12.1
    """
    version = _version(name)
    if version not in _versions(user):
        return as_wanted(name, f"python {name} is already absent")
    if opts["test"]:
        return would_change(name, f"python {name} is set to be uninstalled")
    call("pyenv.uninstall_python", version, runas=user)
    if version in _versions(user):
        return failed(name, f"Failed to uninstall python {name}")
    return changed(name, "Successfully removed python", {version: "Uninstalled"})


def install_pyenv(name: str, user: str | None = None) -> StateReturn:
    """Ensure that pyenv is installed; `name` is any text.

    Example::

        salt-g state.single pyenv.install_pyenv pyenv
    """
    if call("pyenv.is_installed", user):
        return as_wanted(name, "pyenv is already installed")
    if opts["test"]:
        return would_change(name, "pyenv is set to be installed")
    if not _has_pyenv(user):
        return failed(name, "pyenv failed to install")
    return changed(name, "pyenv installed", {"pyenv": "Installed"})


def _has_pyenv(user: str | None) -> bool:
    """Install pyenv if it is missing; return whether it is installed now."""
    return bool(call("pyenv.is_installed", user) or call("pyenv.install", user))


def _versions(user: str | None) -> list[str]:
    return list(call("pyenv.versions", user))


def _make_default(version: str, user: str | None) -> None:
    if call("pyenv.default", runas=user) != version:
        call("pyenv.default", version, runas=user)


def _version(name: str) -> str:
    return re.sub(r"^python-", "", str(name))
