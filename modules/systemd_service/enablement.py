"""Enablement of units at boot."""

from __future__ import annotations

import os
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules import _init_scripts, _systemd
from salt_g.modules._programs import acts, is_installed, run
from salt_g.modules.systemd_service._systemctl import reload_if_changed, scripts, systemctl, without_scope
from salt_g.modules.systemd_service.masking import unmask_if


def enable(
    name: str,
    no_block: bool = False,
    unmask: bool = False,
    unmask_runtime: bool = False,
    root: str | None = None,
    **kwargs: Any,
) -> bool:
    """Enable a unit at boot; return True, or False for an init script that cannot be enabled.

    Raises CommandExecutionError if a unit cannot be enabled. `unmask` and `unmask_runtime` are as in
    `service.start`.

    Example::

        salt-g service.enable cron
    """
    reload_if_changed(name)
    unmask_if(name, unmask, unmask_runtime, root)
    if name in scripts(root):
        return acts(_script_words(["-f", name, "defaults", "99"], [name, "on"]))
    finished = systemctl("enable", name, scope=True, no_block=no_block, root=root)
    if finished["retcode"] != 0:
        raise CommandExecutionError(without_scope(finished["stderr"]))
    return True


def disable(name: str, no_block: bool = False, root: str | None = None, **kwargs: Any) -> bool:
    """Disable a unit at boot; return whether that succeeded.

    Example::

        salt-g service.disable cron
    """
    reload_if_changed(name)
    if name in scripts(root):
        return acts(_script_words(["-f", name, "remove"], [name, "off"]))
    finished = systemctl("disable", name, scope=True, no_block=no_block, root=root, ignore_retcode=False)
    return finished["retcode"] == 0


def enabled(name: str, root: str | None = None, **kwargs: Any) -> bool:
    """Return whether a unit is started at boot.

    Example::

        salt-g service.enabled cron
    """
    asked = systemctl("is-enabled", name, root=root)
    if asked["stdout"] == "alias":
        real = systemctl("show", name, root=root, more=["-P", "Id"])["stdout"]
        return systemctl("is-enabled", real, root=root)["retcode"] == 0
    if asked["retcode"] == 0:
        return True
    if "@" in name:
        return _is_linked_somewhere(name, root)
    return name in scripts(root) and _init_scripts.is_enabled(name, _init_scripts.runlevel(), root)


def disabled(name: str, root: str | None = None) -> bool:
    """Return whether a unit is not started at boot.

    Example::

        salt-g service.disabled cron
    """
    return not enabled(name, root=root)


def firstboot(root: str | None = None, **settings: str | None) -> bool:
    """Give a new machine its first settings with systemd-firstboot; return True.

    Keywords are `locale`, `locale_message`, `keymap`, `timezone`, `hostname` and `machine_id`. Settings that
    exist are not changed.

    Example::

        salt-g service.firstboot keymap=jp locale=en_US.UTF-8
    """
    names = {"locale_message": "locale-message", "machine_id": "machine-id"}
    words = ["systemd-firstboot"]
    for key, value in {**settings, "root": root}.items():
        words += [f"--{names.get(key, key)}", str(value)] if value else []
    finished = run(words)
    if finished["retcode"] != 0:
        raise CommandExecutionError(f"systemd-firstboot error: {finished['stderr']}")
    return True


def _script_words(update_rc: list[str], chkconfig: list[str]) -> list[str]:
    for program, words in (("update-rc.d", update_rc), ("chkconfig", chkconfig)):
        if is_installed(program):
            return [*_systemd.scope_prefix(), program, *words]
    raise CommandExecutionError("Unable to find sysv service manager (tried update-rc.d, chkconfig)")


def _is_linked_somewhere(name: str, root: str | None) -> bool:
    """Return whether a link below /etc/systemd/system has the name of this instance (`template@x`)."""
    top = _init_scripts.below("/etc/systemd/system", root)
    for directory, names, files in os.walk(top):
        if any(each == name and os.path.islink(os.path.join(directory, each)) for each in [*names, *files]):
            return True
    return False
