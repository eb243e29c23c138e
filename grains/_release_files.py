"""Readers of the files in /etc that name a distribution, its release and codename.

Shapes: each reader returns a dict of text, {} if the file does not exist.
Source: os-release(5); `/etc/lsb-release`; the older `/etc/<name>-release` (first line as in `Rocky Linux
release 9.4 (Blue Onyx)`); CPE names as NIST binds them.
"""

from __future__ import annotations

import re

from salt_g.grains._sources import lines, names, text

_ASSIGNMENT = re.compile(r"""^(\w+)=(['"]?)(.*)\2$""")
_LSB = re.compile(r"""^DISTRIB_(ID|RELEASE|CODENAME|DESCRIPTION)=['"]?([\w\s.-]+)""")
_RELEASE_LINE = re.compile(
    r"^(?P<name>.+?) *(?:release *)?(?P<version>\d[\d.+a-z-]*)(?: +LTS)? *(?:\((?P<codename>.*)\)[^)]*)?$"
)
_CODENAME = re.compile(r"\((\D+)\)|,\s*(\D+)")
#: Files in /etc that are named like a distribution's release file but are not one.
NO_RELEASE_FILES = {
    *("debian_version", "lsb-release", "oem-release", "os-release", "system-release"),
    *("initrd-release", "plesk-release", "iredmail-release", "board-release", "ec2_version"),
}


def os_release(root: str = "/") -> dict[str, str]:
    """Return os-release, with the defaults of its specification."""
    content = text("/etc/os-release", root) or text("/usr/lib/os-release", root)
    if content is None:
        return {}
    found = {"NAME": "Linux", "ID": "linux", "PRETTY_NAME": "Linux"}
    for line in content.splitlines():
        match = _ASSIGNMENT.match(line.strip())
        if match:
            found[match[1]] = re.sub(r'\\([$"\'\\`])', r"\1", match[3])
    return found


def lsb_release(root: str = "/") -> dict[str, str]:
    """Return /etc/lsb-release as `lsb_distrib_*` grains."""
    matches = (_LSB.match(line) for line in lines("/etc/lsb-release", root))
    return {f"lsb_distrib_{match[1].lower()}": match[2].rstrip() for match in matches if match}


def release_file(root: str = "/") -> dict[str, str]:
    """Return `name`, `version` and `codename` of the first usable `/etc/<name>-release`."""
    for name in names("/etc", root):
        if name.endswith(("-release", "_release", "-version", "_version")) and name not in NO_RELEASE_FILES:
            first = next(iter(lines(f"/etc/{name}", root)), "").strip()
            if first:
                return _release_line(first)
    return {}


def codename(release: dict[str, str]) -> str | None:
    """Return the codename in os-release, '' if it states that there is none, or None if it is silent."""
    for key in ("VERSION_CODENAME", "UBUNTU_CODENAME"):
        if key in release:
            return release[key]
    match = _CODENAME.search(release.get("VERSION", ""))
    return (match[1] or match[2]) if match else None


def most_precise_version(release: dict[str, str], root: str = "/") -> str:
    """Return the stated version with the most parts ("7" loses to "7.9.2009"), '' if no file states one."""
    stated = [
        release.get("VERSION_ID", ""),
        lsb_release(root).get("lsb_distrib_release", ""),
        release_file(root).get("version", ""),
        _release_line(release.get("PRETTY_NAME", "")).get("version", ""),
    ]
    if "debian" in (release.get("ID"), *release.get("ID_LIKE", "").split()):
        stated.append((text("/etc/debian_version", root) or "").strip())
    return max(stated, key=lambda version: (version.count("."), version != ""))


def cpe_vendor_and_version(cpe: str) -> tuple[str, str]:
    """Return vendor and version of a CPE name, in the URI or the formatted-string binding."""
    parts = cpe.split(":")
    if len(parts) > 4 and parts[0] == "cpe":
        if parts[1].startswith("/"):
            return parts[2], parts[4]
        if parts[1] == "2.3" and len(parts) > 5:
            return parts[3], parts[5] if parts[5] != "*" else ""
    return "", ""


def _release_line(line: str) -> dict[str, str]:
    match = _RELEASE_LINE.match(line)
    if match is None:
        return {"name": line} if line else {}
    return {key: value for key, value in match.groupdict().items() if value}
