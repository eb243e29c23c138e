"""`pkg` on Fedora, Red Hat and their family: packages through dnf, dnf5, tdnf or yum.

Begin with `query` (what is installed), then `install`. `_yum` runs the program and reads its
lists. Tested with recorded transcripts; not yet tested on a real Fedora.
"""

from __future__ import annotations

from salt_g.api import grains
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
from salt_g.modules.yumpkg._yum import program
from salt_g.modules.yumpkg.available import (
    available_version,
    clean_metadata,
    latest_version,
    list_repo_pkgs,
    list_updates,
    list_upgrades,
    refresh_db,
    upgrade_available,
)
from salt_g.modules.yumpkg.changing import purge, remove, update, upgrade
from salt_g.modules.yumpkg.files import diff, download, list_downloaded, services_need_restart
from salt_g.modules.yumpkg.groups import group_diff, group_info, group_install, group_list, groupinstall
from salt_g.modules.yumpkg.hold import get_locked_packages, hold, list_holds, unhold
from salt_g.modules.yumpkg.install import install
from salt_g.modules.yumpkg.patches import list_installed_patches, list_patches
from salt_g.modules.yumpkg.query import list_pkgs
from salt_g.modules.yumpkg.repos import del_repo, get_repo, list_repos, mod_repo

__virtualname__ = "pkg"

__all__ = [
    "available_version",
    "clean_metadata",
    "del_repo",
    "diff",
    "download",
    "file_dict",
    "file_list",
    "get_locked_packages",
    "get_repo",
    "group_diff",
    "group_info",
    "group_install",
    "group_list",
    "groupinstall",
    "hold",
    "info_installed",
    "install",
    "latest_version",
    "list_downloaded",
    "list_holds",
    "list_installed_patches",
    "list_patches",
    "list_pkgs",
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
    "services_need_restart",
    "unhold",
    "update",
    "upgrade",
    "upgrade_available",
    "verify",
    "version",
    "version_cmp",
]

#: Systems of other families that nevertheless use these programs, by the grain `os`.
_SYSTEMS = (
    *("amazon", "xcp", "xenserver", "virtuozzolinux", "virtuozzo", "issabel pbx", "openeuler"),
    "vmware photon os",
)


def __virtual__() -> str | tuple[bool, str]:
    is_red_hat = str(grains.get("os_family", "")).lower() == "redhat"
    if not is_red_hat and str(grains.get("os", "")).lower() not in _SYSTEMS:
        return False, "Module yumpkg: no yum based system detected"
    return __virtualname__ if program() else (False, "DNF nor YUM found")
