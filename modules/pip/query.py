"""Installed Python packages and available versions."""

from __future__ import annotations

import json
import re
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules.pip._pip import run_checked, run_pip, version

_QUIET = "--disable-pip-version-check"
#: `-e place#egg=name` or `name==version`, editable or not.
_FROZEN = re.compile(r"(?:-e )?(?:([^#\s]+)#egg=([^&\s]+)\S*|([^=\s]+)={2,3}(\S+))")


def normalize(name: str) -> str:
    """Return the normalized name of a project (PEP 503).

    Example::

        salt-g pip.normalize Sphinx.Ext_Napoleon
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def freeze(
    bin_env: str | None = None,
    user: str | None = None,
    cwd: str | None = None,
    use_vt: bool = False,
    env_vars: Any = None,
    **kwargs: Any,
) -> list[str]:
    """Return the installed packages as lines of a requirements file.

    Example::

        salt-g pip.freeze bin_env=/srv/venv
    """
    words = ["freeze", "--all", _QUIET]
    return run_checked(words, bin_env, user=user, cwd=cwd, env_vars=env_vars)["stdout"].splitlines()


def list_(
    prefix: str | None = None,
    bin_env: str | None = None,
    user: str | None = None,
    cwd: str | None = None,
    env_vars: Any = None,
    **kwargs: Any,
) -> dict[str, str]:
    """Return {name: version} of the installed packages, or only of those whose name begins with `prefix`.

    Example::

        salt-g pip.list
    """
    found = _listed(["list", "--format=json", _QUIET], bin_env, user=user, cwd=cwd, env_vars=env_vars)
    versions = {normalize(package["name"]): package["version"] for package in found}
    head = normalize(prefix) if prefix else ""
    return {name: version for name, version in versions.items() if name.startswith(head)}


def list_freeze_parse(
    prefix: str | None = None,
    bin_env: str | None = None,
    user: str | None = None,
    cwd: str | None = None,
    env_vars: Any = None,
    **kwargs: Any,
) -> dict[str, str]:
    """Return {name: version} as in `pip.freeze`; the version of an editable package is its location.

    With `prefix`, only packages whose name begins with it.

    Example::

        salt-g pip.list_freeze_parse salt
    """
    found = {"pip": str(version(bin_env, cwd))}
    for line in freeze(bin_env=bin_env, user=user, cwd=cwd, env_vars=env_vars):
        parts = _FROZEN.fullmatch(line)
        if parts:
            place, named, name, pinned = parts.groups()
            found[normalize(named or name)] = place or pinned
    head = normalize(prefix) if prefix else ""
    return {name: pinned for name, pinned in found.items() if name.startswith(head)}


def is_installed(
    pkgname: str, bin_env: str | None = None, user: str | None = None, cwd: str | None = None
) -> bool:
    """Return whether a package is installed.

    Example::

        salt-g pip.is_installed pip
    """
    return normalize(pkgname) in list_(bin_env=bin_env, user=user, cwd=cwd)


def list_upgrades(
    bin_env: str | None = None, user: str | None = None, cwd: str | None = None
) -> dict[str, str]:
    """Return {name: "version [kind of file]"} of packages with a newer version than the installed one.

    Example::

        salt-g pip.list_upgrades
    """
    found = _listed(["list", "--outdated", _QUIET, "--format=json"], bin_env, user=user, cwd=cwd)
    return {each["name"]: f"{each['latest_version']} [{each['latest_filetype']}]" for each in found}


def upgrade_available(
    pkg: str, bin_env: str | None = None, user: str | None = None, cwd: str | None = None
) -> bool:
    """Return whether there is a newer version of an installed package; any spelling of its name will do.

    Example::

        salt-g pip.upgrade_available pip
    """
    newer = list_upgrades(bin_env=bin_env, user=user, cwd=cwd)
    return normalize(pkg) in {normalize(name) for name in newer}


def list_all_versions(
    pkg: str,
    bin_env: str | None = None,
    include_alpha: bool = False,
    include_beta: bool = False,
    include_rc: bool = False,
    user: str | None = None,
    cwd: str | None = None,
    index_url: str | None = None,
    extra_index_url: str | None = None,
) -> list[str] | None:
    """Return the versions of a package in the index, oldest first; None if there are none.

    Alpha, beta and candidate versions are listed only with `include_alpha`, `include_beta`, `include_rc`.

    Example::

        salt-g pip.list_all_versions pip
    """
    words = [_QUIET, "index", "versions", pkg]
    words += ["--index-url", index_url] if index_url else []
    words += ["--extra-index-url", extra_index_url] if extra_index_url else []
    words += ["--pre"] if include_alpha or include_beta or include_rc else []
    said = run_pip(words, bin_env, user=user, cwd=cwd, redirect_stderr=True)["stdout"]
    found = re.search(r"Available versions: (.*)", said)
    left_out = [
        word for word, is_in in (("a", include_alpha), ("b", include_beta), ("rc", include_rc)) if not is_in
    ]
    versions = found.group(1).split(", ") if found else []
    kept = [version for version in reversed(versions) if not any(word in version for word in left_out)]
    return kept or None


def _listed(words: list[str], bin_env: str | None, **options: Any) -> list[dict[str, Any]]:
    finished = run_checked(words, bin_env, **options)
    try:
        found: list[dict[str, Any]] = json.loads(finished["stdout"], strict=False)
    except ValueError as exc:
        raise CommandExecutionError("Invalid JSON", info=finished) from exc
    return found
