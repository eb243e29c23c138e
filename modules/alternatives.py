"""Alternatives: the program behind a generic name, managed by update-alternatives.

`name` is the name of the group (`editor`), `link` the generic path (/usr/bin/editor), `path` one of the
alternatives.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, grains

#: Directory of the links to the selected alternatives.
LINKS = "/etc/alternatives"
#: Databases of systems whose program has no `--query`.
STATE_FILES = {"RedHat": "/var/lib/alternatives", "Suse": "/var/lib/rpm/alternatives"}

__func_alias__ = {"set_": "set"}
__outputter__ = {"display": "txt", "install": "txt", "remove": "txt"}


def __virtual__() -> Any:
    """Load only on systems with alternatives."""
    if os.path.isdir(LINKS):
        return True
    return False, "Cannot load alternatives module: /etc/alternatives dir not found"


def display(name: str) -> str:
    """Return the output of `update-alternatives --display` for a name.

    Example::

        salt-g alternatives.display editor
    """
    done = _run("--display", name, ignore_retcode=True)
    return str(done["stderr"] if done["retcode"] and done["stderr"] else done["stdout"])


def show_link(name: str) -> Any:
    """Return the generic path of a name, or False if there is none.

    Example::

        salt-g alternatives.show_link editor
    """
    folder = STATE_FILES.get(grains.get("os_family", ""))
    if folder:
        return _second_line(os.path.join(folder, name))
    done = _run("--query", name, ignore_retcode=True)
    lines = done["stdout"].split("\n\n", 1)[0].splitlines() if not done["retcode"] else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("Link:")), False)


def show_current(name: str) -> Any:
    """Return the selected program of a name, or False if there is none.

    Example::

        salt-g alternatives.show_current editor
    """
    try:
        return os.readlink(os.path.join(LINKS, name))
    except OSError:
        return False


def check_exists(name: str, path: str) -> bool:
    """Return whether a program is one of the alternatives of a name.

    Example::

        salt-g alternatives.check_exists editor /usr/bin/vim.tiny
    """
    done = _run("--display", name, ignore_retcode=True)
    return not done["retcode"] and any(line.split(" ")[0] == path for line in done["stdout"].splitlines())


def check_installed(name: str, path: str) -> bool:
    """Return whether a program is the selected alternative of a name.

    Example::

        salt-g alternatives.check_installed editor /usr/bin/vim.tiny
    """
    return bool(show_current(name) == path)


def install(name: str, link: str, path: str, priority: int) -> str:
    """Add a program to the alternatives of a name; return the output.

    priority
        Automatic mode selects the program with the highest priority.

    Example::

        salt-g alternatives.install editor /usr/bin/editor /usr/bin/emacs 50
    """
    return _run_output(_run("--install", link, name, path, str(priority)))


def remove(name: str, path: str) -> str:
    """Remove a program from the alternatives of a name; return the output.

    Example::

        salt-g alternatives.remove editor /usr/bin/emacs
    """
    return _run_output(_run("--remove", name, path))


def auto(name: str) -> str:
    """Return to automatic selection by priority; return the output.

    Example::

        salt-g alternatives.auto editor
    """
    return _run_output(_run("--auto", name))


def set_(name: str, path: str) -> str:
    """Select a program manually; return the output.

    Example::

        salt-g alternatives.set editor /usr/bin/vim.tiny
    """
    return _run_output(_run("--set", name, path))


def _run(*words: str, **options: Any) -> dict[str, Any]:
    program = "alternatives" if grains.get("os_family") == "RedHat" else "update-alternatives"
    return dict(call("cmd.run_all", [program, *words], python_shell=False, **options))


def _run_output(done: dict[str, Any]) -> str:
    return str(done["stderr"] if done["retcode"] else done["stdout"])


def _second_line(path: str) -> Any:
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return False
    return lines[1] if len(lines) > 1 else False
