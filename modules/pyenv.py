"""Versions of Python installed with pyenv.

pyenv is in the directory of the setting `pyenv.root`, by default in `~/.pyenv` of the user `runas`, or in
/usr/local/pyenv without `runas`.
Source: pyenv's list of commands.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from salt_g.api import call
from salt_g.modules._programs import acts, run
from salt_g.modules._required import require
from salt_g.shapes import Completed

__func_alias__ = {"list_": "list"}

REPOSITORY = "https://github.com/pyenv/pyenv.git"
#: Default directory of calls without `runas`.
SYSTEM_ROOT = "/usr/local/pyenv"


def install(runas: str | None = None, path: str | None = None) -> bool:
    """Install pyenv with git, or update it; return whether that succeeded.

    `runas` is the user for whom pyenv is installed, `path` a directory in place of the default or
    configured one.

    Example::

        salt-g pyenv.install
    """
    root = path or _root(runas)
    if os.path.isdir(os.path.join(root, ".git")):
        return _pull(root, runas)
    require("git")
    return acts(["git", "clone", REPOSITORY, root], runas=runas)


def update(runas: str | None = None, path: str | None = None) -> bool:
    """Update pyenv with git; return whether that succeeded, False if it is not installed.

    Example::

        salt-g pyenv.update
    """
    root = path or _root(runas)
    return os.path.isdir(os.path.join(root, ".git")) and _pull(root, runas)


def is_installed(runas: str | None = None) -> bool:
    """Return whether pyenv is installed.

    Example::

        salt-g pyenv.is_installed
    """
    return os.path.isfile(_program(runas))


def install_python(python: str, runas: str | None = None) -> Any:
    """Install a version of Python (one of `pyenv.list`); return the output of its build, False on failure.

    The remains of a failed build are removed.

    Example::

        salt-g pyenv.install_python 3.12.1
    """
    python = _version(python)
    done = _pyenv(runas, "install", python)
    if done["retcode"]:
        uninstall_python(python, runas=runas)
        return False
    rehash(runas=runas)
    return done["stderr"]


def uninstall_python(python: str, runas: str | None = None) -> bool:
    """Remove a version of Python (one of `pyenv.versions`); return True.

    Example::

        salt-g pyenv.uninstall_python 3.12.1
    """
    _pyenv(runas, "uninstall", "--force", _version(python))
    return True


def versions(runas: str | None = None) -> list[str]:
    """Return the installed versions of Python.

    Example::

        salt-g pyenv.versions
    """
    return _lines(_pyenv(runas, "versions", "--bare"))


def default(python: str | None = None, runas: str | None = None) -> Any:
    """Return the default version of Python; with `python`, make that version the default and return True.

    Example::

        salt-g pyenv.default 3.12.1
    """
    if python:
        _pyenv(runas, "global", _version(python))
        return True
    done = _pyenv(runas, "global")
    return "" if done["retcode"] else done["stdout"].strip()


def list_(runas: str | None = None) -> list[str]:
    """Return the versions of Python that pyenv can install.

    Example::

        salt-g pyenv.list
    """
    lines = _lines(_pyenv(runas, "install", "--list"))
    return [line.strip() for line in lines if line.strip() and not line.endswith(":")]


def rehash(runas: str | None = None) -> bool:
    """Renew the programs in pyenv's directory `shims`; return True.

    Example::

        salt-g pyenv.rehash
    """
    _pyenv(runas, "rehash")
    return True


def do(cmdline: str | list[str] | None = None, runas: str | None = None, env: Any = None) -> Any:
    """Run a command with pyenv's programs first in the path; return its output, False on failure.

    `env` holds further environment variables.

    Example::

        salt-g pyenv.do 'pip list'
    """
    words = shlex.split(cmdline) if isinstance(cmdline, str) else list(cmdline or [])
    if not words:
        return False
    # env(1) looks for the program in the changed path.
    path = f"{os.path.join(_root(runas), 'shims')}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    variables = {**_environment(runas), **(env or {}), "PATH": path}
    done = run(["env", *words], runas=runas, env=variables, ignore_retcode=False)
    if done["retcode"]:
        return False
    rehash(runas=runas)
    return done["stdout"]


def do_with_python(python: str, cmdline: str | list[str], runas: str | None = None) -> Any:
    """Run a command as `pyenv.do` does, with this version of Python.

    Example::

        salt-g pyenv.do_with_python 3.12.1 'pip list'
    """
    return do(cmdline, runas=runas, env={"PYENV_VERSION": _version(python)} if python else None)


def _root(runas: str | None) -> str:
    configured = call("config.get", "pyenv.root") or call("config.get", "pyenv:root")
    own = os.path.expanduser(f"~{runas}/.pyenv") if runas else SYSTEM_ROOT
    return str(configured or own)


def _program(runas: str | None) -> str:
    return os.path.join(_root(runas), "bin", "pyenv")


def _environment(runas: str | None) -> dict[str, str]:
    return {"PYENV_ROOT": _root(runas)}


def _pyenv(runas: str | None, *words: str) -> Completed:
    """Run pyenv; if it is not installed, return a failed result."""
    if not is_installed(runas):
        return {"pid": 0, "retcode": 1, "stdout": "", "stderr": "pyenv is not installed"}
    return run([_program(runas), *words], runas=runas, env=_environment(runas), ignore_retcode=False)


def _pull(root: str, runas: str | None) -> bool:
    require("git")
    return acts(["git", "pull"], cwd=root, runas=runas)


def _version(python: str) -> str:
    """Return pyenv's name of a version: `python-3.12.1` is 3.12.1."""
    return re.sub(r"^python-", "", str(python))


def _lines(done: Completed) -> list[str]:
    return [] if done["retcode"] else done["stdout"].splitlines()
