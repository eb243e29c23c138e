"""Enablement of modules, sites and configuration files by links, as on Debian.

Source: a2enmod(8); the texts of the results are those of Salt 3007.
"""

from __future__ import annotations

import os
from typing import Any

from salt_g.errors import CommandNotFound
from salt_g.modules._programs import act, is_installed
from salt_g.modules._required import hint

#: Directory with a folder of links for each kind: mods-enabled, sites-enabled, conf-enabled.
_ROOT = "/etc/apache2"


def check_mod_enabled(mod: str) -> bool:
    """Return whether a module is enabled (`rewrite`, `ssl.conf`).

    Example::

        salt-g apache.check_mod_enabled status
    """
    return _is_linked("mods", mod if mod.endswith((".load", ".conf")) else f"{mod}.load")


def check_site_enabled(site: str) -> bool:
    """Return whether a site is enabled; `default` also means 000-default.

    Example::

        salt-g apache.check_site_enabled example.com
    """
    file = _with_suffix(site)
    return _is_linked("sites", file) or (site == "default" and _is_linked("sites", f"000-{file}"))


def check_conf_enabled(conf: str) -> bool:
    """Return whether a configuration file is enabled.

    Example::

        salt-g apache.check_conf_enabled security
    """
    return _is_linked("conf", _with_suffix(conf))


def a2enmod(mod: str) -> dict[str, Any]:
    """Enable a module; return {"Name", "Mod", "Status"}.

    Example::

        salt-g apache.a2enmod rewrite
    """
    return _switch("a2enmod", "Mod", mod)


def a2dismod(mod: str) -> dict[str, Any]:
    """Disable a module; return {"Name", "Mod", "Status"}.

    Example::

        salt-g apache.a2dismod rewrite
    """
    return _switch("a2dismod", "Mod", mod)


def a2ensite(site: str) -> dict[str, Any]:
    """Enable a site; return {"Name", "Site", "Status"}.

    Example::

        salt-g apache.a2ensite example.com
    """
    return _switch("a2ensite", "Site", site)


def a2dissite(site: str) -> dict[str, Any]:
    """Disable a site; return {"Name", "Site", "Status"}.

    Example::

        salt-g apache.a2dissite example.com
    """
    return _switch("a2dissite", "Site", site)


def a2enconf(conf: str) -> dict[str, Any]:
    """Enable a configuration file; return {"Name", "Conf", "Status"}.

    Example::

        salt-g apache.a2enconf security
    """
    return _switch("a2enconf", "Conf", conf)


def a2disconf(conf: str) -> dict[str, Any]:
    """Disable a configuration file; return {"Name", "Conf", "Status"}.

    Example::

        salt-g apache.a2disconf security
    """
    return _switch("a2disconf", "Conf", conf)


def _with_suffix(name: str) -> str:
    return name if name.endswith(".conf") else f"{name}.conf"


def _is_linked(kind: str, file: str) -> bool:
    return os.path.islink(os.path.join(_ROOT, f"{kind}-enabled", file))


def _switch(program: str, what: str, name: str) -> dict[str, Any]:
    if not is_installed(program):
        raise CommandNotFound(f"Command '{program}' cannot be found.{hint(program)}")
    verb = "Enable" if program.startswith("a2en") else "Disable"
    finished = act([program, name])
    statuses = {0: f"{what} {name} {verb.lower()}d", 1: f"{what} {name} Not found"}
    status: Any = statuses.get(finished["retcode"], finished["retcode"])
    return {"Name": f"Apache2 {verb} {what}", what: name, "Status": status}
