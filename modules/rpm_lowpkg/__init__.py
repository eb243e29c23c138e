"""`lowpkg` on rpm systems: installed packages, owners of files, altered files.

Begin with `files`. Reading package files and comparing versions is tested with Debian's `rpm` program;
queries of the database of installed packages are tested with recorded transcripts.
"""

from __future__ import annotations

from salt_g.api import grains
from salt_g.modules._programs import is_installed
from salt_g.modules.rpm_lowpkg.altered import diff, modified, verify
from salt_g.modules.rpm_lowpkg.files import bin_pkg_info, checksum, file_dict, file_list, list_pkgs, owner
from salt_g.modules.rpm_lowpkg.information import info
from salt_g.modules.rpm_lowpkg.versions import version_cmp

__virtualname__ = "lowpkg"

__all__ = [
    "bin_pkg_info",
    "checksum",
    "diff",
    "file_dict",
    "file_list",
    "info",
    "list_pkgs",
    "modified",
    "owner",
    "verify",
    "version_cmp",
]

#: Systems of other families that nevertheless use rpm, by the grain `os`.
_SYSTEMS = (
    *("amazon", "xcp", "xenserver", "virtuozzolinux", "virtuozzo", "issabel pbx", "openeuler"),
    "vmware photon os",
)


def __virtual__() -> str | tuple[bool, str]:
    if not is_installed("rpm"):
        return False, "The rpm execution module failed to load: rpm binary is not in the path."
    is_rpm_family = str(grains.get("os_family", "")).lower() in ("redhat", "suse")
    if is_rpm_family or str(grains.get("os", "")).lower() in _SYSTEMS:
        return __virtualname__
    return False, (
        "The rpm execution module failed to load: only available on redhat/suse type systems or amazon, "
        "xcp, xenserver, virtuozzolinux, virtuozzo, issabel pbx, openeuler or vmware photon os."
    )
