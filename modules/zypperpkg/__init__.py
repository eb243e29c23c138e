"""`pkg` on SUSE and openSUSE: packages through zypper.

Begin with `query` (what is installed), then `install`. `_zypper` runs the program and reads its
XML. Tested with recorded transcripts; not yet tested on a real SUSE.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules._programs import is_installed
from salt_g.modules._rpm_queries import (
    file_dict,
    file_list,
    info_installed,
    modified,
    normalize_name,
    owner,
    parse_arch,
    verify,
    version,
    version_cmp,
)
from salt_g.modules.zypperpkg.available import (
    available_version,
    info,
    info_available,
    latest_version,
    list_repo_pkgs,
    list_updates,
    list_upgrades,
    refresh_db,
    resolve_capabilities,
    search,
    upgrade_available,
)
from salt_g.modules.zypperpkg.contents import list_installed_patterns, list_patterns, list_products
from salt_g.modules.zypperpkg.files import diff, download, list_downloaded, services_need_restart
from salt_g.modules.zypperpkg.hold import clean_locks, hold, list_holds, list_locks, unhold
from salt_g.modules.zypperpkg.install import install, purge, remove, upgrade
from salt_g.modules.zypperpkg.patches import list_installed_patches, list_patches
from salt_g.modules.zypperpkg.query import list_pkgs, list_provides
from salt_g.modules.zypperpkg.repos import del_repo, get_repo, list_repos, mod_repo

__virtualname__ = "pkg"

__all__ = [
    "available_version",
    "clean_locks",
    "del_repo",
    "diff",
    "download",
    "file_dict",
    "file_list",
    "get_repo",
    "hold",
    "info",
    "info_available",
    "info_installed",
    "install",
    "latest_version",
    "list_downloaded",
    "list_holds",
    "list_installed_patches",
    "list_installed_patterns",
    "list_locks",
    "list_patches",
    "list_patterns",
    "list_pkgs",
    "list_products",
    "list_provides",
    "list_repo_pkgs",
    "list_repos",
    "list_updates",
    "list_upgrades",
    "mod_repo",
    "modified",
    "normalize_name",
    "owner",
    "parse_arch",
    "purge",
    "refresh_db",
    "remove",
    "resolve_capabilities",
    "search",
    "services_need_restart",
    "unhold",
    "upgrade",
    "upgrade_available",
    "verify",
    "version",
    "version_cmp",
]


def __virtual__() -> str | tuple[bool, str]:
    if grains.get("os_family") != "Suse":
        return False, "Module zypper: non SUSE OS not supported by zypper package manager"
    if not is_installed("zypper"):
        return False, "Module zypper: zypper package manager not found"
    return __virtualname__
