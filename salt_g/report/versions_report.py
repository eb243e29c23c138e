"""Versions of salt-g, Python, the libraries in use and the system.

Used by the command line (`--versions-report`) and `test.versions_report`.

Shapes: {section: {name: version text, or None when not installed}}, in stock's sections.
"""

from __future__ import annotations

import importlib.metadata
import platform
import sys

import salt_g
from salt_g.report import source_commit

#: Distributions that salt-g requires or can use.
DEPENDENCIES = (
    *("gevent", "greenlet", "Jinja2", "MarkupSafe", "msgpack", "psutil", "pycryptodome", "PyZMQ"),
    *("ruamel.yaml", "ruamel.yaml.clib"),
)
NOT_INSTALLED = "Not Installed"


def information() -> dict[str, dict[str, str | None]]:
    """Return all versions by section."""
    sections: dict[str, dict[str, str | None]] = {
        "Salt Version": _own(),
        "Python Version": {"Python": sys.version.rsplit("\n", maxsplit=1)[0].strip()},
        "Dependency Versions": {name: _installed(name) for name in DEPENDENCIES},
        "Salt Extensions": _extensions(),
        "System Versions": _system(),
    }
    return {title: versions for title, versions in sections.items() if versions}


def report() -> str:
    """Return all versions as text, names right-aligned at a colon."""
    sections = information()
    width = max(len(name) for versions in sections.values() for name in (*versions, NOT_INSTALLED)) + 1
    lines = []
    for title, versions in sections.items():
        lines.append(f"{title}:")
        lines += [
            f"{name:>{width}}: {version or NOT_INSTALLED}"
            for name, version in sorted(versions.items(), key=lambda item: item[0].lower())
        ]
        lines.append(" ")
    return "\n".join(lines)


def _own() -> dict[str, str | None]:
    known = source_commit.current()
    return {"Salt": salt_g.__version__, **({"Commit": known} if known else {})}


def _installed(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _extensions() -> dict[str, str | None]:
    points = importlib.metadata.entry_points(group="salt.loader")
    return {point.dist.name: point.dist.version for point in points if point.dist}


def _system() -> dict[str, str | None]:
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}

    def words(*keys: str) -> str:
        return " ".join(release[key] for key in keys if key in release)

    return {
        "dist": words("ID", "VERSION_ID", "VERSION_CODENAME"),
        "locale": sys.getdefaultencoding(),
        "machine": platform.machine(),
        "release": platform.release(),
        "system": platform.system(),
        "version": words("NAME", "VERSION_ID"),
    }
