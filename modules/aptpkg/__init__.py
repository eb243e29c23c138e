"""`pkg` on Debian and its family: packages through apt and dpkg.

Begin with `query` (what is installed), then `install`. `_apt` runs the programs, `_sources`
reads and writes the lists of repositories.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules.aptpkg.available import (
    available_version,
    latest_version,
    list_repo_pkgs,
    list_upgrades,
    refresh_db,
    show,
    upgrade_available,
)
from salt_g.modules.aptpkg.files import (
    file_dict,
    file_list,
    info_installed,
    list_downloaded,
    owner,
    services_need_restart,
    which,
)
from salt_g.modules.aptpkg.hold import get_hold, hold, unhold
from salt_g.modules.aptpkg.install import install
from salt_g.modules.aptpkg.keys import add_repo_key, del_repo_key, get_repo_keys
from salt_g.modules.aptpkg.mod_repo import mod_repo
from salt_g.modules.aptpkg.names import normalize_name, parse_arch, version_cmp
from salt_g.modules.aptpkg.query import list_pkgs, version
from salt_g.modules.aptpkg.remove import autoremove, purge, remove
from salt_g.modules.aptpkg.repos import del_repo, expand_repo_def, get_repo, list_repos
from salt_g.modules.aptpkg.selections import get_selections, set_selections
from salt_g.modules.aptpkg.upgrade import upgrade

__virtualname__ = "pkg"

__all__ = [
    "add_repo_key",
    "autoremove",
    "available_version",
    "del_repo",
    "del_repo_key",
    "expand_repo_def",
    "file_dict",
    "file_list",
    "get_hold",
    "get_repo",
    "get_repo_keys",
    "get_selections",
    "hold",
    "info_installed",
    "install",
    "latest_version",
    "list_downloaded",
    "list_pkgs",
    "list_repo_pkgs",
    "list_repos",
    "list_upgrades",
    "mod_repo",
    "normalize_name",
    "owner",
    "parse_arch",
    "purge",
    "refresh_db",
    "remove",
    "services_need_restart",
    "set_selections",
    "show",
    "unhold",
    "upgrade",
    "upgrade_available",
    "version",
    "version_cmp",
    "which",
]


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") == "Debian":
        return __virtualname__
    return False, "The pkg module could not be loaded: unsupported OS family"
