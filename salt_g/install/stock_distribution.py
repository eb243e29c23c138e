"""Distribution `salt`, which satisfies the requirement of Salt extensions and lets programs import `salt`.

Most extensions on PyPI require `salt>=3006`. Without this distribution, pip would install stock Salt beside
salt-g; its commands would overwrite salt-g's links, and its pinned libraries salt-g's. The wheel has
metadata and a package `salt` of one file, which delegates to `loader/import_shim.py`, because a program
that runs outside of salt-g begins with `import salt.client`.
Shapes: the version is the release whose behaviour salt-g follows, with a local part that no public index
accepts, so that pip never selects stock's own wheel.
Source: PEP 427 (wheels), PEP 440 (local versions).
"""

from __future__ import annotations

import base64
import hashlib
import os
import zipfile

from salt_g import SALT_LEVEL

NAME = "salt"
#: Local part of the version. The number after it grows with the content of the wheel, so that pip replaces an
#: older wheel.
_LOCAL = "+saltg"
VERSION = f"{SALT_LEVEL}{_LOCAL}.1"
#: Requirement passed to pip.
REQUIREMENT = f"{NAME}=={VERSION}"
#: Requirements of stock that extensions import without declaring them themselves.
_REQUIREMENTS = ("packaging",)
_DIST_INFO = f"{NAME}-{VERSION}.dist-info"
_METADATA = f"""\
Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Satisfies the requirement of Salt extensions; the code is in salt-g
""" + "".join(f"Requires-Dist: {name}\n" for name in _REQUIREMENTS)
#: Content of the package `salt`, whose names come from `salt_g.compat`.
_PACKAGE = '''\
"""Names of Salt's package for programs; salt-g serves them."""

import sys

from salt_g.loader import import_shim

import_shim.take_over(sys.modules[__name__])
'''
_WHEEL = "Wheel-Version: 1.0\nGenerator: salt-g\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(directory: str) -> str:
    """Write the wheel into a directory and return its path."""
    path = os.path.join(directory, f"{NAME}-{VERSION}-py3-none-any.whl")
    files = {f"{_DIST_INFO}/METADATA": _METADATA, f"{_DIST_INFO}/WHEEL": _WHEEL}
    files[f"{NAME}/__init__.py"] = _PACKAGE
    record = "".join(f"{name},sha256={_digest(text)},{len(text)}\n" for name, text in files.items())
    files[f"{_DIST_INFO}/RECORD"] = f"{record}{_DIST_INFO}/RECORD,,\n"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
    return path


def write_hashed(wheel: str) -> str:
    """Write a requirements file with the hash of a wheel, beside the wheel; return the path of the file."""
    with open(wheel, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    path = os.path.join(os.path.dirname(wheel), "salt.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{REQUIREMENT} --hash=sha256:{digest}\n")
    return path


def installed_version() -> str | None:
    """Return the version of the distribution `salt` of this Python, or None if it has none."""
    from importlib.metadata import PackageNotFoundError, version  # Imported lazily: costs 30 ms.

    try:
        return version(NAME)
    except PackageNotFoundError:
        return None


def is_stock_installed() -> bool:
    """Return whether this Python has stock Salt, as opposed to any version of this distribution."""
    version = installed_version()
    return version is not None and _LOCAL not in version


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
