"""States of virtual environments with their packages."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, current, functions, opts
from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.shapes import StateReturn
from salt_g.states._extra_keywords import takes
from salt_g.states._outcome import as_wanted, failed, outcome, would_change

__virtualname__ = "virtualenv"

#: {argument of the state: argument of `pip.install`} where the names differ.
_PIP_ARGUMENTS = {
    "pip_download": "download",
    "pip_download_cache": "download_cache",
    "pip_exists_action": "exists_action",
    "pip_ignore_installed": "ignore_installed",
    "pip_upgrade": "upgrade",
    "pip_no_cache_dir": "no_cache_dir",
    "pip_cache_dir": "cache_dir",
}
#: Arguments with the same name in both.
_PIP_SAME = (
    *("index_url", "extra_index_url", "pre_releases", "no_deps", "proxy", "use_vt", "env_vars"),
    *("no_binary", "use_wheel", "no_use_wheel", "process_dependency_links"),
)


def __virtual__() -> str | tuple[bool, str]:
    if "virtualenv.create" in functions:
        return __virtualname__
    return False, "virtualenv module could not be loaded"


@takes("pip.install", "virtualenv.create")
def managed(
    name: str,
    venv_bin: str | None = None,
    requirements: Any = None,
    system_site_packages: bool = False,
    distribute: bool = False,
    clear: bool = False,
    python: str | None = None,
    extra_search_dir: Any = None,
    never_download: bool | None = None,
    prompt: str | None = None,
    user: str | None = None,
    cwd: str | None = None,
    pip_pkgs: Any = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that a virtual environment exists at `name`, with these packages.

    `requirements` is a requirements file (also a URL), `pip_pkgs` a list of packages; `clear` always
    recreates it. `pip_upgrade`, `index_url`, `no_deps`, … are passed to `pip.install`, all other arguments to
    `virtualenv.create`.

    Example::

        salt-g state.single virtualenv.managed /srv/venv pip_pkgs='["requests"]'
    """
    is_there = os.path.exists(_python(name))
    saltenv = current().saltenv
    if isinstance(requirements, str) and requirements.startswith("salt://"):
        wanted, requirements = requirements, call("cp.cache_file", requirements, saltenv)
        if not requirements:
            return failed(name, f"pip requirements file '{wanted}' not found")
    if opts["test"]:
        return _would_manage(name, is_there, clear)
    how = {"venv_bin": venv_bin, "python": python, "prompt": prompt, "user": user, "clear": clear}
    how.update(extra_search_dir=extra_search_dir, never_download=never_download)
    how.update(system_site_packages=system_site_packages, distribute=distribute)
    changes: dict[str, Any] = {}
    problem, comment = _make(name, is_there, how, changes)
    if problem:
        return failed(name, problem, changes)
    if not (requirements or pip_pkgs):
        return outcome(name, True, comment, changes)
    options = _pip_options(kwargs)
    options.update(pkgs=pip_pkgs, requirements=requirements, user=user, cwd=_directory(requirements, cwd))
    try:
        return _fill(name, comment, changes, {**options, "saltenv": saltenv})
    except CommandExecutionError as exc:
        return failed(name, str(exc), changes)


def manage(name: str, **kwargs: Any) -> StateReturn:
    """Old name of `virtualenv.managed`.

    Example::

        salt-g state.single virtualenv.manage /srv/venv
    """
    return managed(name, **kwargs)


def _pip_options(given: dict[str, Any]) -> dict[str, Any]:
    """Return the `pip.install` arguments for the state's arguments."""
    renamed = {new: given[old] for old, new in _PIP_ARGUMENTS.items() if old in given}
    return {**renamed, **{key: given[key] for key in _PIP_SAME if key in given}}


def _would_manage(name: str, is_there: bool, clear: bool) -> StateReturn:
    if is_there and not clear:
        return as_wanted(name, f"Virtualenv {name} is already created")
    if not is_there:
        return would_change(name, f"Virtualenv {name} is set to be created")
    changes = {"cleared_packages": call("pip.freeze", bin_env=name), "old": _version(name)}
    return would_change(name, f"Virtualenv {name} is set to be cleared", changes)


def _make(name: str, is_there: bool, how: dict[str, Any], changes: dict[str, Any]) -> tuple[str, str]:
    """Create or clear the environment if needed and record the changes; return (error or '', comment)."""
    clear = how["clear"]
    if is_there and not clear:
        return "", "virtualenv exists"
    if is_there:
        changes.update(cleared_packages=call("pip.freeze", bin_env=name), old=_version(name))
    problem = _create(name, how)
    if problem:
        return problem, ""
    changes["new"] = _version(name)
    return "", "Cleared existing virtualenv" if clear else "Created new virtualenv"


def _create(name: str, how: dict[str, Any]) -> str:
    """Create the environment; return the error, '' on success."""
    try:
        finished = call("virtualenv.create", name, **how)
    except CommandNotFound as exc:
        return f"Failed to create virtualenv: {exc}"
    return "" if finished["retcode"] == 0 else f"{finished['stdout']}{finished['stderr']}"


def _fill(name: str, comment: str, changes: dict[str, Any], options: dict[str, Any]) -> StateReturn:
    before = set(call("pip.freeze", bin_env=name, user=options["user"]))
    finished = call("pip.install", bin_env=name, **options)
    if finished.get("retcode", 1):
        said = "\n".join(str(finished.get(key, "")) for key in ("stdout", "stderr"))
        comment = f"{comment}\n{said}"
    after = set(call("pip.freeze", bin_env=name))
    new, old = sorted(after - before), sorted(before - after)
    if new or old:
        changes["packages"] = {"new": new or "", "old": old or ""}
    return outcome(name, finished.get("retcode", 1) == 0, comment, changes)


def _directory(requirements: Any, cwd: str | None) -> str | None:
    """Return the working directory of pip, so that relative paths in a requirements file resolve."""
    first = requirements.split(",")[0] if isinstance(requirements, str) else (requirements or [""])[0]
    return os.path.dirname(os.path.abspath(first)) if first and not os.path.isabs(first) else cwd


def _python(name: str) -> str:
    return os.path.join(name, "bin", "python")


def _version(name: str) -> str:
    """Return the version of the environment's Python, or '' if that version does not print it to stderr."""
    said: str = call("cmd.run_stderr", [_python(name), "-V"], python_shell=False)
    return said.strip("\n")
