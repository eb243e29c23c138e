"""Stock's `salt.utils.pkg.rpm`: parsing of rpm's query output, of architectures and versions.

Shapes: a line has the fields of QUERYFORMAT, separated by `_|-`; a PkgInfo has its install time as ISO text
in UTC and in seconds since 1970.
"""

import datetime
import importlib
import platform
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple

_rpm_versions: Any = importlib.import_module("salt_g.modules._rpm_versions")

QUERYFORMAT = "%{NAME}_|-%{EPOCH}_|-%{VERSION}_|-%{RELEASE}_|-%{ARCH}_|-%{REPOID}_|-%{INSTALLTIME}"

ARCHES_X86_64 = ("x86_64", "x86_64_v2")
ARCHES_64 = (*ARCHES_X86_64, "athlon", "amd64", "ia32e", "ia64", "geode")
ARCHES_32 = ("i386", "i486", "i586", "i686")
ARCHES_PPC = ("ppc", "ppc64", "ppc64le", "ppc64iseries", "ppc64pseries")
ARCHES_S390 = ("s390", "s390x")
ARCHES_SPARC = ("sparc", "sparcv8", "sparcv9", "sparcv9v", "sparc64", "sparc64v")
ARCHES_ALPHA = (
    *("alpha", "alphaev4", "alphaev45", "alphaev5", "alphaev56", "alphapca56"),
    *("alphaev6", "alphaev67", "alphaev68", "alphaev7"),
)
ARCHES_ARM_32 = ("armv5tel", "armv5tejl", "armv6l", "armv6hl", "armv7l", "armv7hl", "armv7hnl")
ARCHES_ARM_64 = ("aarch64",)
ARCHES_SH = ("sh3", "sh4", "sh4a")
ARCHES = (
    *(*ARCHES_64, *ARCHES_32, *ARCHES_PPC, *ARCHES_S390, *ARCHES_ALPHA),
    *(*ARCHES_ARM_32, *ARCHES_ARM_64, *ARCHES_SH),
)

#: Time limit for `rpm --eval` (s).
_TIMEOUT = 10.0


class PkgInfo(NamedTuple):
    """Package as listed by rpm, dnf or yum."""

    name: str
    version: str
    arch: str
    repoid: str
    install_date: str | None
    install_date_time_t: int | None


def pkginfo(
    name: str,
    version: str,
    arch: str,
    repoid: str,
    install_date: str | None = None,
    install_date_time_t: int | None = None,
) -> PkgInfo:
    """Return a package with these fields."""
    return PkgInfo(name, version, arch, repoid, install_date, install_date_time_t)


def get_osarch() -> str:
    """Return the machine's architecture according to rpm or, if rpm is missing, to the kernel."""
    if not shutil.which("rpm"):
        return platform.uname().machine or "unknown"
    words = ["rpm", "--eval", "%{_host_cpu}"]
    asked = subprocess.run(words, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
    return asked.stdout.strip() or "unknown"


def check_32(arch: str, osarch: str | None = None) -> bool:
    """Return whether both architectures are 32-bit x86, or both are 32-bit ARM."""
    both = {arch, osarch or get_osarch()}
    return both.issubset(ARCHES_32) or both.issubset(ARCHES_ARM_32)


def resolve_name(name: str, arch: str, osarch: str | None = None) -> str:
    """Return the name of a package, with its architecture if it is foreign."""
    machine = osarch or get_osarch()
    is_own = arch in (machine, "noarch") or check_32(arch, machine) or {arch, machine}.issubset(ARCHES_X86_64)
    return name if is_own else f"{name}.{arch}"


def parse_pkginfo(line: str, osarch: str | None = None) -> PkgInfo | None:
    """Return the package on a line in QUERYFORMAT, or None for any other line."""
    fields = line.split("_|-")
    if len(fields) != 7:
        return None
    name, epoch, version, release, arch, repoid, installed = fields
    full = f"{version}-{release}" if release else version
    if epoch not in ("(none)", "0"):
        full = f"{epoch}:{full}"
    date, seconds = _install_time(installed)
    return PkgInfo(resolve_name(name, arch, osarch), full, arch, repoid, date, seconds)


def _install_time(text: str) -> tuple[str | None, int | None]:
    if text in ("(none)", "0"):
        return None, None
    seconds = int(text)
    # Stock writes both the offset and a `Z`.
    return f"{datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).isoformat()}Z", seconds


def combine_comments(comments: Any) -> str:
    """Return comments as lines of a file, each prefixed with `# `."""
    lines = comments if isinstance(comments, list) else [comments]
    return "".join(f"# {str(line).lstrip('#').lstrip()}\n" for line in lines)


def version_to_evr(verstring: str | None) -> tuple[str, str, str]:
    """Return (epoch, version, release) of a version; missing parts are the epoch "0" and empty text."""
    epoch, version, release = _rpm_versions.split(verstring or "")
    return (str(int(epoch)) if epoch and epoch.isdigit() else "0"), version, release or ""


def evr_compare(evr1: Sequence[str | None], evr2: Sequence[str | None]) -> int:
    """Return -1, 0 or 1 if the first (epoch, version, release) is older, the same or newer."""
    epochs = int(evr1[0] or 0), int(evr2[0] or 0)
    if epochs[0] != epochs[1]:
        return 1 if epochs[0] > epochs[1] else -1
    by_version = _rpm_versions.compare_part(evr1[1] or "", evr2[1] or "")
    return int(by_version or _rpm_versions.compare_part(evr1[2] or "", evr2[2] or ""))
