"""Functions common to package modules: installation targets, lists of versions.

The package modules of all platforms, and those that users write, call these functions by name.

Shapes: a package list is {name: [version, ...]}, or {name: "version,version"} once stringified.
Source: stock docs of `pkg_resource`.
"""

from __future__ import annotations

import copy
import fnmatch
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from salt_g.api import call, functions
from salt_g.data.version_conditions import satisfies
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules._booleans import is_true

log = logging.getLogger(__name__)

#: Attributes of a package in `format_pkg_list`.
_ATTRIBUTES = {"epoch", "version", "release", "arch", "install_date", "install_date_time_t"}


def parse_targets(
    name: str | None = None,
    pkgs: Any = None,
    sources: Any = None,
    saltenv: str = "base",
    normalize: bool = True,
    **kwargs: Any,
) -> tuple[Any, str | None]:
    """Return the installation targets and their kind.

    `({name: version or None}, "repository")`, `([path, ...], "file")`,
    `([id, ...], "advisory")`, or `(None, None)` if the arguments are invalid.

    Example::

        salt-g pkg_resource.parse_targets vim,nano
    """
    if pkgs and sources:
        log.error('Only one of "pkgs" and "sources" can be used.')
        return None, None
    if "advisory_ids" in kwargs:
        return _advisories(name, pkgs, kwargs["advisory_ids"])
    if (pkgs or sources) and kwargs.get("version") is not None:
        log.warning("'version' argument will be ignored for multiple package targets")
    if pkgs:
        packed = _repack(pkgs, normalize)
        return (packed, "repository") if packed else (None, None)
    if sources:
        files = pack_sources(sources, normalize=normalize)
        return ([_local(*item, saltenv) for item in files.items()], "file") if files else (None, None)
    if name:
        normal = _normalizer(normalize)
        version = kwargs.get("version")
        pinned = None if version is None else str(version)
        return {normal(part): pinned for part in name.split(",")}, "repository"
    log.error("No package sources provided")
    return None, None


def pack_sources(sources: Any, normalize: bool = True) -> dict[str, str]:
    """Return {name: location} of a list of one-item mappings; {} for anything else.

    Example::

        salt-g pkg_resource.pack_sources '[{"foo": "salt://foo.deb"}]'
    """
    sources = _read(sources)
    if not all(isinstance(item, Mapping) and len(item) == 1 for item in sources):
        log.error("Input must be a list of 1-element dicts, not %r", sources)
        return {}
    normal = _normalizer(normalize)
    return {normal(key): value for item in sources for key, value in item.items()}


def version(*names: str, **kwargs: Any) -> Any:
    """Return the installed version of a package, or a mapping for several (or a glob).

    The version is '' if a package is not installed; `versions_as_list` returns lists.

    Example::

        salt-g pkg_resource.version bash
    """
    as_list = is_true(kwargs.pop("versions_as_list", False))
    installed = call("pkg.list_pkgs", versions_as_list=True, **kwargs) if names else {}
    found: dict[str, Any] = {}
    for name in names:
        wanted = fnmatch.filter(installed, name) if "*" in name else [name]
        found.update({match: installed.get(match, []) for match in wanted})
    if not as_list:
        stringify(found)
    if len(found) == 1 and not any("*" in name for name in names):
        return next(iter(found.values()))
    return found


def add_pkg(pkgs: dict[str, list[str]], name: str, pkgver: str) -> None:
    """Add a version of a package to a package list.

    Example::

        salt-g pkg_resource.add_pkg '{}' bind 9
    """
    pkgs.setdefault(name, []).append(pkgver)


def sort_pkglist(pkgs: dict[str, list[str]]) -> None:
    """Sort the versions of each package and remove duplicates.

    Example::

        salt-g pkg_resource.sort_pkglist '{"3.45": ["2.1", "2.0"]}'
    """
    for name in pkgs:
        pkgs[name] = sorted(set(pkgs[name]))


def stringify(pkgs: dict[str, Any]) -> None:
    """Join the versions of each package into a comma-separated text.

    Example::

        salt-g pkg_resource.stringify '{"vim": ["7.1", "7.2"]}'
    """
    for name in pkgs:
        pkgs[name] = ",".join(pkgs[name])


def version_clean(verstr: str | None) -> str | None:
    """Return a version without the parts that the platform's package module does not compare.

    Example::

        salt-g pkg_resource.version_clean 1.2
    """
    return call("pkg.version_clean", verstr) if verstr and "pkg.version_clean" in functions else verstr


def version_compare(ver1: str, oper: str, ver2: str, ignore_epoch: bool = False) -> bool:
    """Return whether `ver1 oper ver2` holds in the platform's order of versions.

    Example::

        salt-g pkg_resource.version_compare 1.0-1 '<' 1.0-2
    """
    compare = functions["pkg.version_cmp"]
    return satisfies(ver1, oper, ver2, lambda ours, theirs: compare(ours, theirs, ignore_epoch=ignore_epoch))


def check_extra_requirements(pkgname: str, pkgver: str | None) -> bool:
    """Return whether the platform's additional requirements for a package are met.

    Example::

        salt-g pkg_resource.check_extra_requirements vim 9
    """
    if pkgver and "pkg.check_extra_requirements" in functions:
        return bool(call("pkg.check_extra_requirements", pkgname, pkgver))
    return True


def format_pkg_list(
    packages: Mapping[str, list[dict[str, Any]]], versions_as_list: bool, attr: Any
) -> dict[str, Any]:
    """Return {name: version} from packages with attributes.

    `versions_as_list` returns a list of versions for each package. `attr` (a list or `all`) returns a list of
    {attribute: value} for each package instead, always with `version` and `arch`.

    Example::

        salt-g pkg_resource.format_pkg_list '{}' false null
    """
    if attr:
        wanted = _ATTRIBUTES if attr == "all" else _ATTRIBUTES & {*attr, "version", "arch"}
        return _with_attributes(packages, wanted)
    found: dict[str, Any] = {
        name: [format_version(each["epoch"], each["version"], each["release"]) for each in versions]
        for name, versions in copy.deepcopy(dict(packages)).items()
    }
    if not versions_as_list:
        stringify(found)
    return found


def format_version(epoch: Any, version: str, release: str | None) -> str:
    """Return `epoch:version-release`, without the parts that are empty.

    Example::

        salt-g pkg_resource.format_version 1 2.0 3
    """
    full = f"{epoch}:{version}" if epoch else version
    return f"{full}-{release}" if release else full


def _advisories(name: str | None, pkgs: Any, advisory_ids: Any) -> tuple[Any, str | None]:
    if pkgs:
        log.error('Cannot use "advisory_ids" and "pkgs" at the same time')
        return None, None
    return (advisory_ids or [name]), "advisory"


def _read(value: Any) -> Any:
    """Return the data of YAML text; any other value unchanged."""
    if not isinstance(value, str):
        return value
    from salt_g.formats.yaml_load import load  # Imported lazily: costs 15 ms, rarely needed

    return load(value)


def _normalizer(normalize: bool) -> Callable[[str], str]:
    if normalize and "pkg.normalize_name" in functions:
        found: Callable[[str], str] = functions["pkg.normalize_name"]
        return found
    return lambda name: name


def _repack(pkgs: Any, normalize: bool) -> dict[str, str | None]:
    pkgs = _read(pkgs)
    pairs = _pairs(pkgs)
    normal = _normalizer(normalize)
    packed = {normal(str(name)): None if wanted is None else str(wanted) for name, wanted in pairs}
    if pairs and len(packed) != len(pkgs):
        raise InvocationError(
            "You are passing a list of packages that contains duplicated packages names: "
            f"{pkgs}. This cannot be processed. In case you are targeting different versions of "
            "the same package, please target them individually"
        )
    return packed


def _pairs(pkgs: Any) -> list[tuple[Any, Any]]:
    """Return [(name, version or None)] of names and one-item mappings; [] if there is anything else."""
    if isinstance(pkgs, str) or not isinstance(pkgs, Iterable):
        log.error("'pkgs' must be a list of packages, not %r", pkgs)
        return []
    pairs: list[tuple[Any, Any]] = []
    for item in pkgs:
        if isinstance(item, Mapping) and len(item) == 1:
            pairs.extend(item.items())
        elif isinstance(item, (str, int, float)):
            pairs.append((item, None))
        else:
            log.error("Invalid input: %r is neither a name nor a mapping of one name to a version", item)
            return []
    return pairs


def _local(name: str, source: str, saltenv: str) -> str:
    if "://" in source:
        cached: str = call("cp.cache_file", source, saltenv)
        if not cached:
            raise CommandExecutionError(f"Unable to cache source {source} for package {name}")
        return cached
    if not os.path.isabs(source):
        raise InvocationError(
            f"Path {source} for package {name} is either not absolute or an invalid protocol"
        )
    return source


def _with_attributes(packages: Mapping[str, Sequence[Mapping[str, Any]]], wanted: set[str]) -> dict[str, Any]:
    parse = functions.get("pkg.parse_arch") or (lambda name: {"name": name, "arch": None})
    found: dict[str, Any] = {}
    for name, versions in packages.items():
        parsed = parse(name)
        kept = [{key: each[key] for key in wanted if key in each} for each in versions]
        is_of_arch = any(each.get("arch") == parsed["arch"] for each in kept)
        found.setdefault(parsed["name"] if is_of_arch else name, []).extend(kept)
    return found
