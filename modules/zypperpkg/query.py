"""Installed packages and, on request, products, patterns and patches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from salt_g.modules._booleans import as_list
from salt_g.modules._packages import PACKAGE_LIST, PROVIDES_LIST, cached_packages, wants_leftovers
from salt_g.modules._programs import output
from salt_g.modules._rpm_packages import listed, read_packages, rooted
from salt_g.modules.zypperpkg.available import info_available
from salt_g.modules.zypperpkg.contents import list_installed_patterns, list_products
from salt_g.modules.zypperpkg.patches import list_installed_patches


def list_pkgs(
    versions_as_list: bool = False, root: str | None = None, includes: Any = None, **kwargs: Any
) -> dict[str, Any]:
    """Return {name: version} of the installed packages.

    With `versions_as_list`, each has a list of versions; with `attr` (list, comma-separated text or `all`), a
    list of mappings of `epoch`, `release`, `arch` and others. `includes` (`product`, `pattern`, `patch` or
    several) adds these under names such as `product:SLES`; `use_context=False` bypasses the cache.

    Example::

        salt-g pkg.list_pkgs includes='["product"]'
    """
    if wants_leftovers(kwargs):
        return {}
    wanted = as_list(includes)

    def read() -> dict[str, list[dict[str, Any]]]:
        further = dict(item for kind in wanted for item in _further(kind, root))
        return {**read_packages(root, without_keys=True), **further}

    # One list for each combination of root and included kinds.
    key = f"{PACKAGE_LIST}_{root}_{','.join(wanted)}" if root or wanted else PACKAGE_LIST
    packages = cached_packages(read, fresh=not kwargs.get("use_context", True), key=key)
    return listed(packages, versions_as_list, kwargs.get("attr"))


def list_provides(root: str | None = None, **kwargs: Any) -> dict[str, list[str]]:
    """Return {capability: [package, ...]} of the capabilities that installed packages provide.

    Example::

        salt-g pkg.list_provides
    """

    def read() -> dict[str, list[str]]:
        text = output([*rooted(root), "-qa", "--queryformat", "[%{PROVIDES}|%{=NAME}\\n]"])
        pairs = [line.split("|") for line in text.splitlines() if line.count("|") == 1]
        found: dict[str, list[str]] = {}
        for capability, name in pairs:
            if capability != name:
                found.setdefault(capability, []).append(name)
        return found

    known: dict[str, list[str]] = cached_packages(read, key=PROVIDES_LIST)
    return known


def _further(kind: str, root: str | None) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    undated = {"install_date": None, "install_date_time_t": None}
    if kind == "product":
        for product in list_products(root=root):
            about = {key: product.get(key) for key in ("epoch", "version", "release", "arch")}
            yield f"product:{product['name']}", [{**about, **undated}]
    named = {"pattern": list_installed_patterns, "patch": list_installed_patches}
    if kind in named:
        for name in named[kind](root=root):
            information = info_available(f"{kind}:{name}", refresh=False, root=root).get(name, {})
            about = {
                "epoch": None,
                "version": information.get("version"),
                "release": None,
                "arch": information.get("arch"),
            }
            yield f"{kind}:{name}", [{**about, **undated}]
