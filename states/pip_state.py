"""States of Python packages: installed, removed, up to date.

Source: stock docs of `pip_state`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, current, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change
from salt_g.states._pep440 import Clauses, compare, fulfils, normalize, parse_requirement

__virtualname__ = "pip"

_VCS = ("git+", "svn+", "hg+", "bzr+")
_ALREADY = ("Requirement already satisfied: ", "Requirement already up-to-date: ")
#: Beginnings of the lines of pip's output that do not report a change.
_NO_CHANGE = (
    "Requirement already satisfied",
    "Requirement already up-to-date",
    "Requirement not upgraded",
    "Collecting",
    "Cloning",
    "Cleaning up...",
    "Looking in indexes",
)
#: (name in the state, normalized name or '' for a URL, version clauses)
_Wanted = tuple[str, str, Clauses]


def __virtual__() -> str | tuple[bool, str]:
    return __virtualname__ if "pip.list" in functions else (False, "pip state: no pip module is available")


def installed(
    name: str,
    pkgs: Any = None,
    pip_bin: str | None = None,
    requirements: Any = None,
    bin_env: str | None = None,
    editable: Any = None,
    upgrade: bool = False,
    force_reinstall: bool = False,
    ignore_installed: bool = False,
    user: str | None = None,
    cwd: str | None = None,
    env_vars: Any = None,
    index_url: str | None = None,
    extra_index_url: str | None = None,
    **kwargs: Any,
) -> StateReturn:
    """Ensure that Python packages are installed.

    `name` or `pkgs` are requirements (`requests>=2`), `requirements` is a file of requirements, `editable`
    the directory or VCS URL of a package to install in editable mode; `bin_env` (`pip_bin`, by its earlier
    name) is a virtualenv, a Python or a pip. `upgrade` installs the newest matching version. All other
    arguments are passed to `pip.install`.

    Example::

        salt-g state.single pip.installed requests bin_env=/srv/venv
    """
    if pkgs and not isinstance(pkgs, list):
        return failed(name, "pkgs argument must be formatted as a list")
    names = [_spec(each) for each in pkgs or [name]]
    title, place = ";".join(names), bin_env or pip_bin
    try:
        call("pip.version", place)
    except CommandExecutionError as exc:
        return failed(title, f"Error installing '{name}': {exc}")
    if user and "user.info" in functions and not call("user.info", user):
        return failed(title, f"User {user} does not exist")
    where = {"bin_env": place, "user": user, "cwd": cwd, "env_vars": env_vars}
    options = {
        "upgrade": upgrade,
        "force_reinstall": force_reinstall,
        "ignore_installed": ignore_installed,
        "index_url": index_url,
        "extra_index_url": extra_index_url,
        "saltenv": current().saltenv,
        **kwargs,
    }
    if requirements or editable:
        return _install_files(title, requirements, editable, where, options)
    wanted, problems = _parse(names)
    if problems:
        return failed(title, "\n".join(problems))
    return _install_names(title, wanted, where, options)


def removed(
    name: str,
    requirements: Any = None,
    bin_env: str | None = None,
    log: str | None = None,
    proxy: Any = None,
    timeout: int | None = None,
    user: str | None = None,
    cwd: str | None = None,
    use_vt: bool = False,
) -> StateReturn:
    """Ensure that a Python package is not installed.

    Example::

        salt-g state.single pip.removed requests bin_env=/srv/venv
    """
    try:
        there = call("pip.list", bin_env=bin_env, user=user, cwd=cwd)
    except CommandExecutionError as exc:
        return failed(name, f"Error uninstalling '{name}': {exc}")
    if normalize(name) not in there:
        return as_wanted(name, "Package is not installed.")
    if opts["test"]:
        return would_change(name, f"Package {name} is set to be removed")
    how = {"requirements": requirements, "log": log, "proxy": proxy, "timeout": timeout, "use_vt": use_vt}
    finished = call("pip.uninstall", pkgs=name, bin_env=bin_env, user=user, cwd=cwd, **how)
    if finished.get("retcode", 1):
        return failed(name, "Could not remove package.")
    return changed(name, "Package was successfully removed.", {name: "Removed"})


def uptodate(
    name: str,
    bin_env: str | None = None,
    user: str | None = None,
    cwd: str | None = None,
    use_vt: bool = False,
) -> StateReturn:
    """Ensure that all Python packages have the newest available version; `name` is any text.

    Example::

        salt-g state.single pip.uptodate all bin_env=/srv/venv
    """
    where = {"bin_env": bin_env, "user": user, "cwd": cwd}
    try:
        upgrades = call("pip.list_upgrades", **where)
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    if not upgrades:
        return as_wanted(name, "System is already up-to-date.")
    if opts["test"]:
        return would_change(name, "System update will be performed")
    returned = call("pip.upgrade", use_vt=use_vt, **where)
    if not returned["result"]:
        return failed(name, returned["comment"], returned["changes"])
    return changed(name, "Upgrade successful.", returned["changes"])


def _spec(package: Any) -> str:
    """Return a requirement; SLS files may write it as a mapping of name to version clauses."""
    if isinstance(package, Mapping):
        return " ".join(str(part) for part in next(iter(package.items())))
    return str(package)


def _parse(names: list[str]) -> tuple[list[_Wanted], list[str]]:
    wanted: list[_Wanted] = []
    problems = []
    for name in names:
        found = parse_requirement(name)
        if found:
            wanted.append((name, normalize(found[0]), found[1]))
        elif name.startswith(_VCS) or "://" in name or "/" in name or "@" in name:
            wanted.append((name, "", []))
        elif "=" in name and "==" not in name:
            problems.append(
                f"Invalid version specification in package {name}. '=' is not supported, use '==' instead."
            )
        else:
            problems.append(f"pip raised an exception while parsing '{name}': Invalid requirement: '{name}'")
    return wanted, problems


def _install_names(
    title: str, wanted: list[_Wanted], where: dict[str, Any], options: dict[str, Any]
) -> StateReturn:
    try:
        there = call("pip.list", **where)
    except CommandExecutionError as exc:
        return failed(title, str(exc))
    checked = {each[0]: _already(each, there, where, options) for each in wanted}
    returned = [comment for comment in checked.values() if comment]
    targets = [each for each in wanted if not checked[each[0]]]
    if not targets:
        last = (
            f"All specified packages are already installed{' and up-to-date' if options['upgrade'] else ''}"
        )
        return as_wanted(title, "\n".join([*returned, last]))
    if opts["test"]:
        return would_change(title, _would_install(wanted, targets))
    names = [each[0].replace(",", ";") for each in targets]
    finished = call("pip.install", pkgs=",".join(names), disable_version_check=True, **where, **options)
    if finished.get("retcode", 1):
        text = f"Failed to install packages: {', '.join(names)}. {_error(finished)}"
        return failed(title, "\n".join([*returned, text]))
    return _installed(title, targets, returned, finished["stdout"], where)


def _already(
    wanted: _Wanted, there: Mapping[str, str], where: dict[str, Any], options: dict[str, Any]
) -> str:
    """Return the comment for a package that is as wanted, or '' if it has to be installed."""
    text, name, clauses = wanted
    version = there.get(name)
    if version is None or options["force_reinstall"] or options["ignore_installed"]:
        return ""
    if not options["upgrade"]:
        return f"Python package {text} was already installed" if fulfils(version, clauses) else ""
    indexes = {key: options[key] for key in ("index_url", "extra_index_url")}
    place = {key: where[key] for key in ("bin_env", "user", "cwd")}
    early = any(re.search(r"\d(a|b|rc)\d", wanted_version) for _, wanted_version in clauses)
    kinds = dict.fromkeys(("include_alpha", "include_beta", "include_rc"), early)
    available = call("pip.list_all_versions", name, **place, **indexes, **kinds) or []
    fitting = [each for each in available if fulfils(each, clauses)]
    if not fitting:
        return (
            f"Python package {name} was already installed and\nthe available upgrade doesn't fulfills the "
            "version requirements"
        )
    return f"Python package {text} was already installed" if compare(version, fitting[-1]) == 0 else ""


def _would_install(wanted: list[_Wanted], targets: list[_Wanted]) -> str:
    if len(wanted) > 1:
        return "\n".join(["Python package(s) set to be installed:", *(each[0] for each in wanted)])
    return f"Python package {targets[0][0]} is set to be installed"


def _installed(
    title: str, targets: list[_Wanted], returned: list[str], said: str, where: dict[str, Any]
) -> StateReturn:
    """Report the installation after pip succeeded."""
    lines = [line for line in said.splitlines() if line.startswith(_ALREADY)]
    untouched = {normalize(re.split(r"[=!<>~@\[]", line.split(":", 1)[1].split()[0])[0]) for line in lines}
    there = call("pip.list", **where)
    changes: dict[str, Any] = {}
    missing = []
    for text, name, _ in targets:
        if not name:
            changes[f"{text}==???"] = "Installed"
        elif name not in there:
            missing.append(
                f"There was no error installing package '{text}' although it does not show when calling "
                "'pip.freeze'."
            )
        elif name not in untouched:
            changes[f"{name}=={there[name]}"] = "Installed"
    last = "\n".join(missing) if missing else "All packages were successfully installed"
    return outcome(title, True, "\n".join([*returned, last]), changes)


def _install_files(
    title: str, requirements: Any, editable: Any, where: dict[str, Any], options: dict[str, Any]
) -> StateReturn:
    if opts["test"]:
        comments = [f"Requirements file '{requirements}' will be processed."] if requirements else []
        mode = 'Package will be installed in editable mode (i.e. setuptools "develop mode")'
        comments += [f"{mode} from {editable}."] if editable else []
        return would_change(title, " ".join(comments))
    arguments = {"requirements": requirements, "editable": editable, "disable_version_check": True}
    finished = call("pip.install", **arguments, **where, **options)
    if finished.get("retcode", 1):
        comments = [f'Unable to process requirements file "{requirements}"'] if requirements else []
        comments += [f"Unable to install from VCS checkout {editable}."] if editable else []
        return failed(title, " ".join([*comments, _error(finished)]))
    comments, changes = [], {}
    if requirements:
        lines = finished["stdout"].splitlines()
        if any(line.strip() and not line.strip().startswith(_NO_CHANGE) for line in lines):
            changes["requirements"] = True
            comments.append(f"Successfully processed requirements file {requirements}.")
        else:
            comments.append("Requirements were already installed.")
    if editable:
        changes["editable"] = True
        comments.append(f"Package successfully installed from VCS checkout {editable}.")
    return outcome(title, True, " ".join(comments), changes)


def _error(finished: Mapping[str, Any]) -> str:
    if "stdout" in finished:
        return f"Error: {finished['stdout']} {finished['stderr']}"
    return f"Error: {finished['comment']}"
