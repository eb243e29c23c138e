"""Installed packages in rpm's database, and their display names.

dnf, yum and zypper all manage this database.

Shapes: a package is {"epoch", "version", "release", "arch", "install_date", "install_date_time_t"},
None for missing fields; times in seconds since 1970 and as ISO text in UTC.
"""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

from salt_g.api import call, grains
from salt_g.modules import _rpm_versions
from salt_g.modules._booleans import as_list, is_true
from salt_g.modules._packages import cached_packages
from salt_g.modules._programs import output

#: One line for each package, for `rpm --queryformat`.
QUERY_FORMAT = "%{NAME}|%{EPOCH}|%{VERSION}|%{RELEASE}|%{ARCH}|%{INSTALLTIME}\\n"

_X86_64 = ("x86_64", "x86_64_v2")
_X86_32 = ("i386", "i486", "i586", "i686")
_ARM_32 = ("armv5tel", "armv5tejl", "armv6l", "armv6hl", "armv7l", "armv7hl", "armv7hnl")
#: Suffixes of a name, after the last dot, that are architectures.
ARCHITECTURES = frozenset(
    (
        *_X86_64,
        *_X86_32,
        *_ARM_32,
        *("aarch64", "alpha", "alphaev4", "alphaev45", "alphaev5", "alphaev56", "alphaev6", "alphaev67"),
        *("alphaev68", "alphaev7", "alphapca56", "amd64", "athlon", "geode", "ia32e", "ia64", "ppc"),
        *("ppc64", "ppc64iseries", "ppc64le", "ppc64pseries", "s390", "s390x", "sh3", "sh4", "sh4a"),
        *("sparc", "sparc64", "sparc64v", "sparcv8", "sparcv9", "sparcv9v"),
    )
)


class Package(NamedTuple):
    """Line of rpm's output; `version` is `[epoch:]version[-release]`."""

    name: str
    version: str
    arch: str
    install_date: str | None
    install_date_time_t: int | None


def parse_line(line: str) -> Package | None:
    """Parse one line in QUERY_FORMAT; return None for any other line."""
    parts = line.strip().split("|")
    if len(parts) != 6:
        return None
    name, epoch, version, release, arch, installed = parts
    full = f"{version}-{release}" if release else version
    if epoch not in ("(none)", "0", ""):
        full = f"{epoch}:{full}"
    seconds = int(installed) if installed.isdigit() and installed != "0" else None
    moment = seconds and datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    date = f"{moment.replace(tzinfo=None).isoformat()}Z" if moment else None
    return Package(shown_name(name, arch), full, arch, date, seconds)


def shown_name(name: str, arch: str) -> str:
    """Return the name, with its architecture if it is foreign."""
    return name if is_own(arch) else f"{name}.{arch}"


def is_own(arch: str) -> bool:
    """Return whether packages of this architecture are native to this machine."""
    machine = grains["osarch"]
    if arch in (machine, "noarch"):
        return True
    return any(arch in family and machine in family for family in (_X86_64, _X86_32, _ARM_32))


def split_architecture(name: str) -> tuple[str, str | None]:
    """Return (name, architecture), the latter None if the name has none."""
    base, point, arch = name.rpartition(".")
    return (base, arch) if point and (arch in ARCHITECTURES or arch == "noarch") else (name, None)


def rooted(root: str | None) -> list[str]:
    """Return the command words of rpm, with another root if given."""
    return ["rpm", "--root", root] if root else ["rpm"]


def read_packages(root: str | None = None, *, without_keys: bool = False) -> dict[str, list[dict[str, Any]]]:
    """Return {name: [package, ...]} of all installed packages; `without_keys` omits signing keys."""
    words = [*rooted(root), "-qa", "--nodigest", "--nosignature", "--queryformat", QUERY_FORMAT]
    found: dict[str, list[dict[str, Any]]] = {}
    for package in map(parse_line, output(words).splitlines()):
        if package and not (without_keys and package.name.startswith("gpg-pubkey")):
            epoch, version, release = _rpm_versions.split(package.version)
            about = {"epoch": epoch, "version": version, "release": release, "arch": package.arch}
            dates = {key: getattr(package, key) for key in ("install_date", "install_date_time_t")}
            found.setdefault(package.name, []).append({**about, **dates})
    return {name: sorted(found[name], key=lambda each: str(each["version"])) for name in found}


def listed(packages: dict[str, list[dict[str, Any]]], versions_as_list: Any, attr: Any) -> dict[str, Any]:
    """Return a package list in the requested form."""
    wanted = attr if attr in (None, "all") else as_list(attr)
    shown: dict[str, Any] = call("pkg_resource.format_pkg_list", packages, is_true(versions_as_list), wanted)
    return shown


def installed(versions_as_list: Any = False, **kwargs: Any) -> dict[str, Any]:
    """Return the result of `pkg.list_pkgs` on systems where rpm alone answers it."""
    packages = cached_packages(read_packages, fresh=not kwargs.get("use_context", True))
    return listed(packages, versions_as_list, kwargs.get("attr"))
