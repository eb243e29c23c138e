"""Grains of the distribution: `os`, `os_family`, `osrelease` and derived ones.

Not simply os-release: formulas compare values that Salt derived from older files (`/etc/lsb-release`,
`/etc/<name>-release`) before os-release existed, so those files still take precedence.
Source: stock's values on recorded trees of the distributions (tests).
"""

from __future__ import annotations

from typing import Any

from salt_g.grains._distributions import family_of, os_of
from salt_g.grains._release_files import (
    codename,
    cpe_vendor_and_version,
    lsb_release,
    most_precise_version,
    os_release,
    release_file,
)
from salt_g.grains._sources import output, text

__all__ = ["distribution", "osarch"]
__virtualname__ = "core"

#: Values of `os` whose `osfinger` begins with `os`; any other begins with the full name.
FINGER_OF_OS = {"AlmaLinux", "Debian", "Raspbian"}
#: Values of `os` whose `osfinger` has the whole release; any other has its first part.
FINGER_WITH_RELEASE = {"NixOS", "Pop", "Ubuntu"}
#: Distributions with only `7` or `8` in os-release; the minor number is in /etc/centos-release.
WITHOUT_MINOR = ("CentOS Linux 7", "CentOS Linux 8")
#: Values of `os` whose PRETTY_NAME has the codename in brackets.
BRACKETED_CODENAME = ("AlmaLinux", "AstraLinuxSE", "Rocky")


def distribution(root: str = "/") -> dict[str, Any]:
    """Return `os`, `os_family`, `osfullname`, `osrelease`, `oscodename`, `osfinger`, `lsb_*`.

    With a known release also `osrelease_info` and `osmajorrelease`; without one `osfinger` is missing, too.
    """
    release = os_release(root)
    found = _names(release, root)
    found["osrelease"] = _release(found, release, root)
    found["oscodename"] = _codename(found, release, root)
    if "SUSE_SUPPORT_PRODUCT" in release:
        found.update(_suse_micro(release))
    found["os_family"] = family_of(found["os"])
    if found["osrelease"]:
        found.update(derived(found["os"], found["osfullname"], found["osrelease"]))
    return found


def osarch(grains: dict[str, Any], root: str = "/") -> dict[str, Any]:
    """Return the architecture of packages (`amd64`), which may differ from the kernel's; with opkg a list."""
    family, machine = grains["os_family"], grains["cpuarch"]
    if family == "Debian":
        return {"osarch": dpkg_architecture(root) or output("dpkg", "--print-architecture") or ""}
    if family in ("RedHat", "Suse"):
        return {"osarch": output("rpm", "--eval", "%{_host_cpu}") or machine}
    if family in ("NILinuxRT", "Poky"):
        return {"osarch": opkg_architectures(output("opkg", "print-architecture") or "")}
    return {"osarch": machine}


def dpkg_architecture(root: str = "/") -> str:
    """Return dpkg's native architecture, or '' without dpkg.

    Read from the package list, which takes a tenth of the time of starting dpkg.
    """
    entry = (text("/var/lib/dpkg/status", root) or "").partition("\nPackage: dpkg\n")[2].partition("\n\n")[0]
    found = [line for line in entry.splitlines() if line.startswith("Architecture: ")]
    return found[0].partition(": ")[2] if found else ""


def opkg_architectures(listing: str) -> list[str]:
    """Return the architectures of `opkg print-architecture`, highest priority first."""
    words = (line.split() for line in listing.splitlines() if line.startswith("arch"))
    return [name for _, name, _ in sorted(words, key=lambda entry: -int(entry[2]))]


def derived(os_name: str, full_name: str, release: str) -> dict[str, Any]:
    """Return `osrelease_info`, `osmajorrelease` (if a number) and `osfinger`."""
    info = tuple(int(part) if part.isdigit() else part for part in release.split("."))
    name = os_name if os_name in FINGER_OF_OS else full_name
    finger = release if os_name in FINGER_WITH_RELEASE else info[0]
    found: dict[str, Any] = {"osrelease_info": info, "osfinger": f"{name}-{finger}"}
    if isinstance(info[0], int):
        found["osmajorrelease"] = info[0]
    return found


def _names(release: dict[str, str], root: str) -> dict[str, Any]:
    """Return `os`, `osfullname` and the `lsb_distrib_*` grains."""
    found: dict[str, Any] = lsb_release(root)
    if release:
        found.update(os=os_of(release["NAME"], release["ID"]), osfullname=release["NAME"].strip())
    if found.get("lsb_distrib_description", "").lower().startswith("antergos"):
        # The distribution's /etc/lsb-release claims to be Arch.
        found["osfullname"] = "Antergos Linux"
    elif "lsb_distrib_id" not in found:
        found.update(_lsb_of_os_release(release))
    found.setdefault("osfullname", found.get("lsb_distrib_id") or release_file(root).get("name", ""))
    found.setdefault("os", os_of(found["osfullname"]))
    return found


def _lsb_of_os_release(release: dict[str, str]) -> dict[str, str]:
    """Return the `lsb_*` values derived from os-release.

    With a SUSE CPE name they are accompanied by `os`, for openSUSE also by `osfullname`; an openSUSE CPE name
    gives the release.
    """
    if not release:
        return {}
    found = {
        "lsb_distrib_id": release["NAME"].strip(),
        "lsb_distrib_codename": release.get("VERSION_CODENAME", release["PRETTY_NAME"]),
    }
    if "VERSION_ID" in release:
        found["lsb_distrib_release"] = release["VERSION_ID"]
    if release["ID"].strip() == "mendel":
        found["lsb_distrib_release"] = (release["PRETTY_NAME"].split() + ["", "", ""])[2]
    return {**found, **_suse(release)}


def _suse(release: dict[str, str]) -> dict[str, str]:
    vendor, version = cpe_vendor_and_version(release.get("CPE_NAME", ""))
    if vendor.lower() not in ("suse", "opensuse"):
        return {}
    found = {"os": "SUSE"}
    if release["NAME"] == "openSUSE Leap":
        found["osfullname"] = "Leap"
    elif release.get("VERSION") == "Tumbleweed":
        found["osfullname"] = "Tumbleweed"
    if version and vendor == "opensuse":
        found["lsb_distrib_release"] = version
    return found


def _release(found: dict[str, Any], release: dict[str, str], root: str) -> str:
    if any(name in found.get("lsb_distrib_codename", "") for name in WITHOUT_MINOR):
        found.pop("lsb_distrib_release", None)
    stated = found.get("lsb_distrib_release")
    return (most_precise_version(release, root) if stated is None else str(stated)).strip()


def _codename(found: dict[str, Any], release: dict[str, str], root: str) -> str:
    stated = found.get("lsb_distrib_codename", "")
    if stated and any(name in found["os"] for name in BRACKETED_CODENAME):
        stated = found["lsb_distrib_codename"] = _bracketed(stated, found["os"])
    if stated.strip() and "Red Hat" not in stated:
        return str(stated.strip())
    own = codename(release)
    return release_file(root).get("codename", "") if own is None else own


def _bracketed(stated: str, os_name: str) -> str:
    """Return `Blue Onyx` for `Rocky Linux 9.4 (Blue Onyx)`, `smolensk` for Astra's `(Smolensk 1.6)`."""
    _, bracket, rest = stated.partition("(")
    if not bracket:
        return stated
    inner = rest.partition(")")[0]
    return inner.split()[0].lower() if os_name == "AstraLinuxSE" else inner


def _suse_micro(release: dict[str, str]) -> dict[str, str]:
    """Return the codename and release of a SUSE product, and `osfullname` of SUSE Linux Micro.

    The NAME of SUSE Linux Micro 6.2 is SLES.
    """
    product = release["SUSE_SUPPORT_PRODUCT"]
    version = release.get("SUSE_SUPPORT_PRODUCT_VERSION", "")
    found = {
        "oscodename": release.get("SUSE_PRETTY_NAME", f"{product} {version}"),
        "osrelease": version,
    }
    return {**found, "osfullname": "SL-Micro"} if product == "SUSE Linux Micro" else found
