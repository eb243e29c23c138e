"""`debconf`: answers to the questions of packages during installation; needs `debconf-utils`."""

from __future__ import annotations

import re
from typing import Any

from salt_g.api import call, grains
from salt_g.errors import CommandExecutionError
from salt_g.modules._programs import is_installed, output, run

__virtualname__ = "debconf"
__func_alias__ = {"set_": "set"}

_LINE = re.compile(r"(?m)^([^#\s]\S*)[\t ]+(\S+)[\t ]+(\S+)(?:[\t ]+([^\n]*))?$")


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") != "Debian":
        return False, "The debconfmod module could not be loaded: unsupported OS family"
    if not is_installed("debconf-get-selections"):
        return False, "The debconfmod module could not be loaded: debconf-utils is not installed."
    return __virtualname__


def get_selections(fetchempty: bool = True) -> dict[str, list[list[str]]]:
    """Return {package: [[question, type, answer], ...]}; `fetchempty=False` leaves out empty answers.

    Example::

        salt-g debconf.get_selections
    """
    found: dict[str, list[list[str]]] = {}
    for package, question, kind, answer in _LINE.findall(output(["debconf-get-selections"])):
        if fetchempty or answer:
            found.setdefault(package, []).append([question, kind, answer])
    return found


def show(name: str) -> list[list[str]] | None:
    """Return [[question, type, answer], ...] of one package, or None if it has no answers.

    Example::

        salt-g debconf.show tzdata
    """
    return get_selections().get(name)


def set_(package: str, question: str, type: str, value: str, *extra: str) -> bool:
    """Answer a question of a package; return True. Further arguments are more words of the answer.

    Example::

        salt-g debconf.set tzdata tzdata/Areas select Europe
    """
    answer = " ".join([str(value), *extra])
    _load(["debconf-set-selections"], stdin=f"{package} {question} {type} {answer}\n")
    return True


def set_file(path: str, saltenv: str = "base", **kwargs: Any) -> bool:
    """Set answers from a file (path or URL); return whether the file exists.

    Example::

        salt-g debconf.set_file salt://answers.selections
    """
    local = call("cp.cache_file", path, saltenv)
    if local:
        _load(["debconf-set-selections", local])
    return bool(local)


def set_template(
    path: str, template: str, context: Any, defaults: Any, saltenv: str = "base", **kwargs: Any
) -> bool:
    """Set answers from a template, rendered by the engine `template`; return whether the file exists.

    `context` holds the variables of the template.

    Example::

        salt-g debconf.set_template salt://answers.jinja jinja '{}' '{}'
    """
    local = call(
        "cp.get_template",
        path=path,
        dest=None,
        template=template,
        saltenv=saltenv,
        context=context,
        defaults=defaults,
    )
    return bool(local) and set_file(local, saltenv)


def _load(words: list[str], **options: Any) -> None:
    finished = run(words, **options)
    if finished["retcode"] != 0:
        raise CommandExecutionError(f"debconf-set-selections failed: {finished['stderr']}")
