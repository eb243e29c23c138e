"""The Apache web server: facts, configuration and enablement of modules and sites (`apache.*`).

Begin with `query.py`. `toggle.py` has a2enmod and its relatives from Debian; these functions exist on every
system and report an error where the programs are missing.
"""

from __future__ import annotations

from salt_g.modules._required import hint
from salt_g.modules.apache._program import control, is_installed
from salt_g.modules.apache.config import config, signal, useradd, userdel
from salt_g.modules.apache.query import directives, fullversion, modules, servermods, version, vhosts
from salt_g.modules.apache.status import server_status
from salt_g.modules.apache.toggle import (
    a2disconf,
    a2dismod,
    a2dissite,
    a2enconf,
    a2enmod,
    a2ensite,
    check_conf_enabled,
    check_mod_enabled,
    check_site_enabled,
)

__all__ = [
    "a2disconf",
    "a2dismod",
    "a2dissite",
    "a2enconf",
    "a2enmod",
    "a2ensite",
    "check_conf_enabled",
    "check_mod_enabled",
    "check_site_enabled",
    "config",
    "directives",
    "fullversion",
    "modules",
    "server_status",
    "servermods",
    "signal",
    "useradd",
    "userdel",
    "version",
    "vhosts",
]


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed():
        return True
    why = "The apache execution module cannot be loaded: apache is not installed."
    return False, why + hint(control())
