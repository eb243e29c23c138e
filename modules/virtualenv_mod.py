"""`virtualenv`: environments for Python packages, with `virtualenv` or Python's own `venv`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from typing import Any

from salt_g import safe_files
from salt_g.api import opts, pillar
from salt_g.errors import CommandExecutionError, CommandNotFound
from salt_g.modules._booleans import as_list
from salt_g.modules._programs import act, is_installed, run
from salt_g.process.command import host_python

__virtualname__ = "virtualenv"

#: Arguments of the environment's Python for `pip=True`, if there is no pip.
_ENSURE_PIP = ["-m", "ensurepip", "--default-pip"]


def create(
    path: str,
    venv_bin: str | None = None,
    system_site_packages: bool = False,
    distribute: bool = False,
    clear: bool = False,
    python: str | None = None,
    extra_search_dir: Any = None,
    never_download: bool | None = None,
    prompt: str | None = None,
    pip: bool = False,
    symlinks: bool | None = None,
    upgrade: bool | None = None,
    user: str | None = None,
    use_vt: bool = False,
    saltenv: str = "base",
    **kwargs: Any,
) -> Mapping[str, Any]:
    """Create an environment; return the result of `cmd.run_all`.

    venv_bin
        `venv`, a Python (whose `venv` is used) or a virtualenv program; by default as in pillar or settings.
    system_site_packages, clear, python, user
        Make the packages of the system available; empty an existing environment first; the interpreter of the
        environment; the user to run as.
    extra_search_dir, never_download
        Directories with packages such as pip, and whether to use only these; for virtualenv.
    prompt, pip
        Prefix of the shell's prompt; install pip if it is missing, and return the result of that.
    symlinks, upgrade
        Link to the interpreter, or upgrade an environment to it; for `venv`.

    `env`, `cwd`, `timeout` and `umask` are those of `cmd.run_all`; all other arguments are ignored.

    Example::

        salt-g virtualenv.create /srv/venv
    """
    tool = venv_bin or pillar.get("venv_bin") or opts.get("venv_bin") or _default_tool()
    given = {
        "python": (python or "").strip(),
        "extra_search_dir": as_list(extra_search_dir),
        "never_download": never_download,
        "prompt": (prompt or "").strip(),
        "symlinks": symlinks,
        "upgrade": upgrade,
    }
    is_own = tool == "venv" or _is_python(tool)
    words = _venv_words(tool, given) if is_own else _virtualenv_words(tool, given)
    words += ["--clear"] if clear is True else []
    words += ["--system-site-packages"] if system_site_packages is True else []
    was_there = os.path.exists(path)
    finished = act([*words, path], runas=user, **_run_options(kwargs))
    if finished["retcode"] != 0:
        if not was_there:
            safe_files.remove_tree(path, ignore_errors=True)
        return finished
    if pip and not os.path.exists(os.path.join(path, "bin", "pip")):
        return act([os.path.join(path, "bin", "python"), *_ENSURE_PIP], runas=user)
    return finished


def virtualenv_ver(venv_bin: str, user: str | None = None, **kwargs: Any) -> tuple[int, ...]:
    """Return the version of a virtualenv program as numbers.

    Example::

        salt-g virtualenv.virtualenv_ver virtualenv
    """
    finished = run([venv_bin, "--version"], runas=user, redirect_stderr=True, **_run_options(kwargs))
    found = re.search(r"\b\d+(\.\d+)+", finished["stdout"])
    if finished["retcode"] > 0 or not found:
        raise CommandExecutionError(
            f"Unable to get the virtualenv version output using '{[venv_bin, '--version']}'. "
            f"Returned data: {finished}"
        )
    return tuple(int(part) for part in found.group(0).split("."))


def get_site_packages(venv: str) -> str:
    """Return the directory of an environment's packages.

    Example::

        salt-g virtualenv.get_site_packages /srv/venv
    """
    return _ask(venv, "import sysconfig; print(sysconfig.get_path('purelib'))")


def get_distribution_path(venv: str, distribution: str) -> str:
    """Return the directory that a project (`distribution`) is installed in, in an environment.

    Example::

        salt-g virtualenv.get_distribution_path /srv/venv pip
    """
    code = "import importlib.metadata as m, sys; print(m.distribution(sys.argv[1]).locate_file(''))"
    return _ask(venv, code, distribution)


def get_resource_path(venv: str, package: str, resource: str) -> str:
    """Return the path of a data file of a package in an environment.

    Example::

        salt-g virtualenv.get_resource_path /srv/venv pip py.typed
    """
    code = "import importlib.resources as r, sys; print(r.files(sys.argv[1]).joinpath(sys.argv[2]))"
    return _ask(venv, code, package, resource)


def get_resource_content(venv: str, package: str, resource: str) -> str:
    """Return the text of a data file of a package in an environment.

    Example::

        salt-g virtualenv.get_resource_content /srv/venv pip py.typed
    """
    code = (
        "import importlib.resources as r, sys; print(r.files(sys.argv[1]).joinpath(sys.argv[2]).read_text())"
    )
    return _ask(venv, code, package, resource)


def _default_tool() -> str:
    names = (
        "virtualenv-{}.{}".format(*sys.version_info[:2]),
        f"virtualenv{sys.version_info[0]}",
        "virtualenv",
    )
    return next((name for name in names if is_installed(name)), "venv")


def _is_python(tool: str) -> bool:
    return re.fullmatch(r"(python|pypy)[0-9.]*", os.path.basename(tool), re.I) is not None


def _venv_words(tool: str, given: Mapping[str, Any]) -> list[str]:
    """Return the command of Python's own venv; raise for options that only virtualenv has."""
    for key in ("extra_search_dir", "never_download"):
        if given[key] not in (None, []):
            option = f"`{key}`(`--{key.replace('_', '-')}`)"
            raise CommandExecutionError(f"The {option} option is not supported by '{tool}'")
    if tool != "venv" and given["python"]:
        raise CommandExecutionError(
            "Pass the target interpreter either as `venv_bin` or as `python`, not both."
        )
    interpreter = tool if tool != "venv" else given["python"] or host_python()
    _check_python(interpreter)
    words = [interpreter, "-m", "venv"]
    words += ["--upgrade"] if given["upgrade"] is True else []
    words += ["--symlinks"] if given["symlinks"] is True else []
    return [*words, *(["--prompt", given["prompt"]] if given["prompt"] else [])]


def _virtualenv_words(tool: str, given: Mapping[str, Any]) -> list[str]:
    for key in ("upgrade", "symlinks"):
        if given[key] is not None:
            raise CommandExecutionError(f"The `{key}`(`--{key}`) option is not supported by '{tool}'")
    if not is_installed(tool):
        raise CommandNotFound(f"Cannot find the virtualenv program ({tool}).")
    words = [tool]
    if given["python"]:
        _check_python(given["python"])
        words.append(f"--python={given['python']}")
    words += [f"--extra-search-dir={entry}" for entry in given["extra_search_dir"]]
    if given["never_download"] is not None:
        words.append("--never-download" if given["never_download"] else "--download")
    return [*words, *([f"--prompt={given['prompt']}"] if given["prompt"] else [])]


def _check_python(interpreter: str) -> None:
    if not is_installed(interpreter):
        raise CommandExecutionError(f"Cannot find requested python ({interpreter}).")


def _run_options(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: given[key] for key in ("env", "cwd", "timeout", "umask") if key in given}


def _ask(venv: str, code: str, *words: str) -> str:
    """Run a line of Python in an environment and return the output."""
    python = os.path.join(venv, "bin", "python")
    if not os.path.exists(python):
        raise CommandExecutionError(
            f"Path '{venv}' does not appear to be a virtualenv: '{python}' not found."
        )
    finished = run([python, "-c", code, *words])
    if finished["retcode"] != 0:
        raise CommandExecutionError(f"{finished['stdout']}\n{finished['stderr']}")
    return finished["stdout"]
