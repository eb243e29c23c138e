"""Description of salt-g in the packages, from the metadata of the installed distribution."""

from __future__ import annotations

import email.message
import platform
from importlib import metadata as installed
from typing import NamedTuple

_DESCRIPTION = (
    "Master, minion and command line in one program, with its own Python: it runs the states, pillar and"
    " jobs of a Salt installation."
)


class Metadata(NamedTuple):
    """Description of a package; `glibc` is the minimum version of the C library."""

    version: str
    summary: str
    description: str
    license: str
    url: str
    maintainer: str
    glibc: str


def read() -> Metadata:
    """Return the description of the installed salt-g, from which the packages are built."""
    found: email.message.Message = installed.metadata("salt-g")  # type: ignore[assignment]
    urls = dict(line.split(", ", 1) for line in found.get_all("Project-URL") or ())
    return Metadata(
        version=found["Version"],
        summary=found["Summary"],
        description=_DESCRIPTION,
        license=found.get("License-Expression") or found["License"],
        url=urls["Homepage"],
        maintainer=found["Maintainer"],
        # The program contains libraries of the build machine, which need at least that machine's C library.
        glibc=platform.libc_ver()[1],
    )
