"""`pip`: packages of the Python that runs salt-g, or of another Python or a virtualenv (`bin_env`)."""

from __future__ import annotations

from salt_g.modules.pip._pip import version
from salt_g.modules.pip.installation import install, uninstall, upgrade
from salt_g.modules.pip.query import (
    freeze,
    is_installed,
    list_,
    list_all_versions,
    list_freeze_parse,
    list_upgrades,
    normalize,
    upgrade_available,
)

__func_alias__ = {"list_": "list"}

__all__ = [
    "freeze",
    "install",
    "is_installed",
    "list_",
    "list_all_versions",
    "list_freeze_parse",
    "list_upgrades",
    "normalize",
    "uninstall",
    "upgrade",
    "upgrade_available",
    "version",
]
