"""Comparison of installed and wanted versions: a version, a glob or conditions (`>=1, <2`)."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.api import call, functions
from salt_g.data.version_conditions import conditions


def fulfils(
    versions: Iterable[str], wanted: str, *, ignore_epoch: bool | None = None, allow_updates: bool = False
) -> bool:
    """Return whether any version matches; `allow_updates` also accepts one newer than an exact one."""
    demands = conditions(wanted)
    if allow_updates and len(demands) == 1 and demands[0][0] == "==":
        demands = [(">=", demands[0][1])]
    return any(all(_holds(version, *demand, ignore_epoch) for demand in demands) for version in versions)


def names_and_versions(name: str, pkgs: Any, version: str | None = None, *, normalize: bool = True) -> Any:
    """Return {name: wanted version or None} from `pkgs` or `name`; return None if `pkgs` is malformed."""
    if pkgs:
        return call("pkg_resource.parse_targets", None, pkgs, normalize=normalize)[0]
    return {normalized(name) if normalize else name: version}


def normalized(name: str) -> str:
    """Return a package's name without an architecture that is redundant on this machine."""
    return functions["pkg.normalize_name"](name) if "pkg.normalize_name" in functions else name


def shown(name: str, wanted: Mapping[str, str | None]) -> str:
    """Return a package with its wanted version for a comment: `vim`, `vim=9`, `vim>=9`."""
    version = wanted[name]
    if not version:
        return name
    return f"{name}{version}" if version[0] in "<>=" else f"{name}={version}"


def split_by_success(
    desired: Mapping[str, str | None], packages: Mapping[str, Any], ignore_epoch: bool | None
) -> tuple[list[str], list[str]]:
    """Return (as wanted, not as wanted) of the desired packages, given the installed ones."""
    good: list[str] = []
    bad: list[str] = []
    for name, wanted in desired.items():
        (good if _is_there(name, wanted, packages, ignore_epoch) else bad).append(name)
    return good, bad


def _is_there(name: str, wanted: str | None, packages: Mapping[str, Any], ignore_epoch: bool | None) -> bool:
    plain = name.partition("=")[0]
    versions = packages.get(plain) or packages.get(normalized(plain))
    if not versions:
        return False
    if wanted == "latest" or not call("pkg_resource.version_clean", wanted):
        return True
    if wanted and wanted.endswith("*") and next(iter(versions)).startswith(wanted[:-1]):
        return True
    return fulfils(versions, str(wanted), ignore_epoch=ignore_epoch)


def _holds(version: str, operator: str, wanted: str, ignore_epoch: bool | None) -> bool:
    if operator == "==" and fnmatch.fnmatch(version, wanted):
        return True
    if ignore_epoch is None:
        # An exact `1.2` ignores the epoch; `<1.2` compares it.
        ignore_epoch = "<" not in operator and ">" not in operator and ":" not in wanted
    compared: bool = call(
        "pkg_resource.version_compare", version, operator, wanted, ignore_epoch=ignore_epoch
    )
    return compared
