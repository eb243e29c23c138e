"""Package managers: their command lines and the parsers of their output.

Package managers differ only in these; `modules/pkg.py` does the rest. The grain `os_family` of a host
determines its package manager.
Shapes: packages are {name: [version, ...]}.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from salt_g.errors import CommandExecutionError

Packages = dict[str, list[str]]

_QUIET_APT = "DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none apt-get -q -y"
_APT = f"{_QUIET_APT} -o DPkg::Options::=--force-confold -o DPkg::Options::=--force-confdef"
_RPM_LIST = r"rpm -qa --queryformat '%{NAME}\t%{EPOCHNUM}\t%{VERSION}-%{RELEASE}\n'"
#: Selects dnf, or yum on old systems, which have no dnf.
_DNF = "tool=$(command -v dnf || command -v yum) || { echo 'dnf and yum are missing' >&2; exit 1; }; "


class Manager(NamedTuple):
    """Scripts of a package manager; packages and options are their arguments."""

    list: str
    read: Callable[[str], Packages]
    install: str
    remove: str
    purge: str
    refresh: str
    upgrade: str
    #: Command that prints the available versions of packages, and the parser of its output.
    offer: str
    offered: Callable[[str], dict[str, str]]
    #: Separator between a package's name and version.
    pin: str
    #: {option of `pkg.install`: (word on the command line if true, word if false)}
    options: Mapping[str, tuple[str, str]] = {}
    suffix: str = ""


def manager_of(family: str) -> Manager:
    """Return the package manager of an `os_family`; raises CommandExecutionError."""
    found = _MANAGERS.get(family)
    if found is None:
        known = ", ".join(_MANAGERS)
        raise CommandExecutionError(
            f"package managers are supported for os_family {known}, not for {family!r}"
        )
    return found


def read_dpkg(text: str, *, is_removed: bool = False) -> Packages:
    """Parse the native architecture, then lines of status, name, version, architecture.

    A foreign architecture is added to the name (`libc6:i386`).
    """
    native, _, rest = text.partition("\n")
    found: Packages = {}
    wanted = "deinstall ok config-files" if is_removed else "ok installed"
    for fields in _rows(rest, 4):
        status, name, version, arch = fields
        if status == wanted or (not is_removed and status.endswith(wanted)):
            full = name if arch in ("all", native) else f"{name}:{arch}"
            found.setdefault(full, []).append(version)
    return found


def read_rpm(text: str) -> Packages:
    """Parse lines of name, epoch, version."""
    found: Packages = {}
    for name, epoch, version in _rows(text, 3):
        if name != "gpg-pubkey":
            found.setdefault(name, []).append(version if epoch in ("0", "(none)") else f"{epoch}:{version}")
    return found


def read_apk(text: str) -> Packages:
    """Parse lines like `busybox-1.36.1-r5`."""
    found: Packages = {}
    for line in text.splitlines():
        name, _, version = line.strip().rpartition("-r")
        name, _, number = name.rpartition("-")
        if name:
            found.setdefault(name, []).append(f"{number}-r{version}")
    return found


def offered_by_apt(text: str) -> dict[str, str]:
    """Parse `apt-cache policy`: the candidate, or '' if it is installed or there is none."""
    found: dict[str, str] = {}
    name, installed = "", ""
    for line in text.splitlines():
        if line and not line[0].isspace():
            name = line.rstrip(":")
        elif line.startswith("  Installed: "):
            installed = line.split(": ", 1)[1]
        elif line.startswith("  Candidate: "):
            candidate = line.split(": ", 1)[1]
            found[name] = "" if candidate in (installed, "(none)") else candidate
    return found


def offered_by_dnf(text: str) -> dict[str, str]:
    """Parse `dnf list --available`: lines of name.arch, version, repository."""
    rows = (line.split() for line in text.splitlines())
    return {row[0].rpartition(".")[0]: row[1] for row in rows if len(row) == 3 and "." in row[0]}


def offered_by_zypper(text: str) -> dict[str, str]:
    """Parse `zypper info`: blocks of `Name : …`, `Version : …`, `Status : …`."""
    found: dict[str, str] = {}
    fields: dict[str, str] = {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if not colon:
            continue
        fields[name.strip()] = value.strip()
        if name.strip() == "Status" and "Name" in fields:
            is_current = value.strip().startswith("up-to-date")
            found[fields["Name"]] = "" if is_current else fields.get("Version", "")
    return found


def offered_by_apk(text: str) -> dict[str, str]:
    """Parse `apk search -e`: the available versions."""
    return {name: versions[-1] for name, versions in read_apk(text).items()}


def _rows(text: str, number: int) -> list[list[str]]:
    rows = (line.split("\t") for line in text.splitlines())
    return [row for row in rows if len(row) == number]


_MANAGERS = {
    "Debian": Manager(
        list=(
            "dpkg --print-architecture;"
            r" dpkg-query -W -f '${Status}\t${Package}\t${Version}\t${Architecture}\n'"
        ),
        read=read_dpkg,
        install=f'{_APT} install "$@"',
        remove=f'{_QUIET_APT} remove "$@"',
        purge=f'{_QUIET_APT} purge "$@"',
        refresh="apt-get -q update",
        upgrade=f'{_APT} upgrade "$@"',
        offer='apt-cache -q policy "$@"',
        offered=offered_by_apt,
        pin="=",
        options={
            "install_recommends": ("", "--no-install-recommends"),
            "only_upgrade": ("--only-upgrade", ""),
            "skip_verify": ("--allow-unauthenticated", ""),
            "downloadonly": ("--download-only", ""),
            "reinstall": ("--reinstall", ""),
        },
        suffix=".deb",
    ),
    "RedHat": Manager(
        list=_RPM_LIST,
        read=read_rpm,
        install=f'{_DNF}"$tool" -y install "$@"',
        remove=f'{_DNF}"$tool" -y remove "$@"',
        purge=f'{_DNF}"$tool" -y remove "$@"',
        refresh=f'{_DNF}"$tool" -q clean expire-cache && "$tool" -q -y makecache',
        upgrade=f'{_DNF}"$tool" -y upgrade "$@"',
        offer=(
            f'{_DNF}case $tool in */dnf) set -- --available "$@" ;; *) set -- available "$@" ;; esac;'
            ' "$tool" -q list "$@" 2>/dev/null; :'
        ),
        offered=offered_by_dnf,
        pin="-",
        options={"skip_verify": ("--nogpgcheck", ""), "downloadonly": ("--downloadonly", "")},
        suffix=".rpm",
    ),
    "Suse": Manager(
        list=_RPM_LIST,
        read=read_rpm,
        install='zypper --non-interactive install --auto-agree-with-licenses "$@"',
        remove='zypper --non-interactive remove "$@"',
        purge='zypper --non-interactive remove -u "$@"',
        refresh="zypper --non-interactive --quiet refresh",
        upgrade='zypper --non-interactive update --auto-agree-with-licenses "$@"',
        offer='zypper --non-interactive --quiet info "$@"; :',
        offered=offered_by_zypper,
        pin="=",
        options={"skip_verify": ("--no-gpg-checks", ""), "downloadonly": ("--download-only", "")},
        suffix=".rpm",
    ),
    "Alpine": Manager(
        list="apk info -v 2>/dev/null",
        read=read_apk,
        install='apk add --no-progress "$@"',
        remove='apk del --no-progress "$@"',
        purge='apk del --no-progress --purge "$@"',
        refresh="apk update --quiet",
        upgrade='apk upgrade --no-progress "$@"',
        offer='for name; do apk search -e "$name"; done',
        offered=offered_by_apk,
        pin="=",
        suffix=".apk",
    ),
}

#: Patterns of allowed package names and versions; no such name can be mistaken for an option.
NAME = re.compile(r"[A-Za-z0-9@][A-Za-z0-9@+._:~/-]*")
VERSION = re.compile(r"[A-Za-z0-9+._:~^*-]+")
