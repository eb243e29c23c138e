"""SUSE's patterns (sets of packages) and products."""

from __future__ import annotations

import os
from typing import Any
from xml.etree import ElementTree

from salt_g.modules._booleans import is_true
from salt_g.modules._programs import output
from salt_g.modules._rpm_packages import rooted
from salt_g.modules.zypperpkg._zypper import elements, solvables
from salt_g.modules.zypperpkg.available import refresh_db

#: Directory of manufacturers' product releases.
_OEM_DIRECTORY = "/var/lib/suseRegister/OEM"


def list_patterns(refresh: bool = False, root: str | None = None) -> dict[str, dict[str, Any]]:
    """Return {name: {"installed", "summary"}} of all patterns.

    Example::

        salt-g pkg.list_patterns
    """
    if is_true(refresh):
        refresh_db(root=root)
    return {
        each["name"]: {"installed": each.get("status") == "installed", "summary": each.get("summary", "")}
        for each in solvables("se", "-t", "pattern", root=root, read_only=True)
    }


def list_installed_patterns(root: str | None = None) -> dict[str, dict[str, Any]]:
    """Return {name: {"installed", "summary"}} of the installed patterns, including hidden ones.

    Example::

        salt-g pkg.list_installed_patterns
    """
    visible = {name: about for name, about in list_patterns(root=root).items() if about["installed"]}
    lines = output([*rooted(root), "-q", "--provides", "--whatprovides", "pattern()"]).splitlines()
    names = [line.partition("=")[2].strip() for line in lines if line.startswith("pattern() = ")]
    hidden = {"installed": True, "summary": "Non-visible pattern"}
    return {**{name: hidden for name in names if not name.startswith(".")}, **visible}


def list_products(all: bool = False, refresh: bool = False, root: str | None = None) -> list[dict[str, Any]]:
    """Return information about each installed product; with `all`, about those in the repositories too.

    Example::

        salt-g pkg.list_products all=True
    """
    if is_true(refresh):
        refresh_db(root=root)
    words = ["products"] if all else ["--disable-repositories", "products", "-i"]
    return [_described(each, root) for each in elements("product", *words, root=root, read_only=True)]


def _described(product: ElementTree.Element, root: str | None) -> dict[str, Any]:
    about: dict[str, Any] = {key: value for key, value in product.attrib.items() if value}
    for key in ("isbase", "installed"):
        if key in product.attrib:
            about[key] = product.attrib[key] in ("true", "1")
    end = product.find("endoflife")
    if end is not None:
        about["eol"] = end.get("text", "")
        about["eol_t"] = int(end.get("time_t") or 0)
    about["description"] = " ".join((product.findtext("description") or "").split())
    release = _manufacturer_release(about.get("productline"), root)
    return {**about, "release": release} if release else about


def _manufacturer_release(line: str | None, root: str | None) -> str:
    path = os.path.join(root or "/", _OEM_DIRECTORY.lstrip("/"), line) if line else ""
    if not path or not os.path.isfile(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.readline().strip()
