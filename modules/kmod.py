"""Kernel modules: loading, unloading, and loading at boot."""

from __future__ import annotations

import os
import re
from typing import Any

from salt_g.api import grains
from salt_g.errors import CommandNotFound
from salt_g.modules import _text_file
from salt_g.modules._programs import act, is_installed
from salt_g.shapes import Completed

#: The kernel's own list of its modules.
_LOADED = "/proc/modules"
#: Files of modules to load at boot, without and with systemd: a line has a name and optional arguments.
_CONFIG = "/etc/modules"
_SYSTEMD_CONFIG = "/etc/modules-load.d/salt_managed.conf"
_FILE_MODE = 0o644
#: Directory with a folder of modules for each kernel release.
_DIRECTORY = "/lib/modules"


def __virtual__() -> bool | tuple[bool, str]:
    if grains.get("kernel") == "Linux":
        return True
    return False, "The kmod execution module cannot be loaded: only available on Linux systems."


def available() -> list[str]:
    """Return the names of all modules of the running kernel, including the built-in ones.

    Example::

        salt-g kmod.available
    """
    top = os.path.join(_DIRECTORY, os.uname().release)
    found = []
    builtin = os.path.join(top, "modules.builtin")
    if os.path.exists(builtin):
        with open(builtin, encoding="utf-8") as file:
            found = [os.path.basename(line.strip())[: -len(".ko")] for line in file]
    names = (name for _, _, files in os.walk(top) for name in files if ".ko" in name)
    return sorted([*found, *(name.partition(".ko")[0].replace("-", "_") for name in names)])


def check_available(mod: str) -> bool:
    """Return whether the running kernel has a module.

    Example::

        salt-g kmod.check_available kvm
    """
    return mod in available()


def lsmod() -> list[dict[str, Any]]:
    """Return {"module", "size", "depcount", "deps"} of each loaded module.

    `deps` are the modules that use it, `depcount` is the number of its users.

    Example::

        salt-g kmod.lsmod
    """
    # A kernel built without modules has no such list.
    if not os.path.exists(_LOADED):
        return []
    with open(_LOADED, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return [
        {"size": size, "module": name, "depcount": count, "deps": _names(users)}
        for name, size, count, users, *_ in rows
    ]


def mod_list(only_persist: bool = False) -> list[str]:
    """Return the names of the loaded modules, or with `only_persist` of those that are loaded at boot.

    The latter are read from `/etc/modules`, with systemd from `/etc/modules-load.d/salt_managed.conf`.

    Example::

        salt-g kmod.mod_list
    """
    if not only_persist:
        return sorted({row["module"] for row in lsmod()})
    names = (line.split()[0] for line in _config_lines() if line.strip() and not line.startswith("#"))
    return sorted(set(names))


def is_loaded(mod: str) -> bool:
    """Return whether a module is loaded.

    Example::

        salt-g kmod.is_loaded kvm
    """
    return mod in mod_list()


def load(mod: str, persist: bool = False) -> list[str] | str:
    """Load a module and its dependencies; return the names of the newly loaded modules, or an error text.

    `persist` loads it at boot too.

    Example::

        salt-g kmod.load kvm
    """
    before = set(mod_list())
    finished = _program("modprobe", *mod.split())
    if finished["retcode"] != 0:
        return f"Error loading module {mod}: {finished['stderr']}"
    return sorted((set(mod_list()) - before) | (_keep(mod) if persist else set()))


def remove(mod: str, persist: bool = False, comment: bool = True) -> list[str] | str:
    """Unload a module; return the names of the unloaded modules, or an error text.

    `persist` also stops loading it at boot: its line is commented out, or removed if `comment` is False.

    Example::

        salt-g kmod.remove kvm
    """
    before = set(mod_list())
    finished = _program("rmmod", *mod.split())
    if finished["retcode"] != 0:
        return f"Error removing module {mod}: {finished['stderr']}"
    return sorted((before - set(mod_list())) | (_drop(mod, comment) if persist else set()))


def _names(users: str) -> list[str]:
    """Return the names in a column of the kernel's list, where `-` means none."""
    return [name for name in users.split(",") if name not in ("", "-")]


def _program(name: str, *words: str) -> Completed:
    if not is_installed(name):
        raise CommandNotFound(f"Command '{name}' cannot be found")
    return act([name, *words])


def _config() -> str:
    return _SYSTEMD_CONFIG if "systemd" in grains else _CONFIG


def _config_lines() -> list[str]:
    if not os.path.exists(_config()):
        return []
    with open(_config(), encoding="utf-8") as file:
        return [line.strip() for line in file]


def _write(lines: list[str]) -> None:
    _text_file.rewrite_durably(_config(), "".join(f"{line}\n" for line in lines), mode=_FILE_MODE)


def _keep(mod: str) -> set[str]:
    """Load a module at boot, restoring a commented-out line; return its name, or nothing if unchanged."""
    name = mod.split()[0]
    if name in mod_list(True) or name not in available():
        return set()
    lines = _config_lines()
    commented = [at for at, line in enumerate(lines) if re.fullmatch(rf"#[\t ]*{re.escape(mod)}", line)]
    for at in commented:
        lines[at] = mod
    _write(lines if commented else [*lines, mod])
    return {name}


def _drop(mod: str, comment: bool) -> set[str]:
    name = mod.split()[0]
    if name not in mod_list(True):
        return set()
    lines = [f"#{line}" if line.split()[:1] == [name] else line for line in _config_lines()]
    _write(lines if comment else [line for line in _config_lines() if line.split()[:1] != [name]])
    return {name}
