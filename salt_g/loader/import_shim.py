"""Import hook for `import salt.…` in users' plugins, served by `salt_g.compat`.

The hook is installed when the first user plugin is loaded, or when a program of the user imports the package
`salt` that `salt-g pip` installs. It precedes an installed stock Salt, whose exceptions salt-g would not
recognize.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from functools import partial
from types import ModuleType

#: Name of the package that users' plugins import, and of the package that implements it.
STOCK, OURS = "salt", "salt_g.compat"
#: Rooms whose plugins can be imported by stock's names, such as `salt.modules.file`.
ROOMS = frozenset(("beacons", "engines", "executors", "modules", "returners", "runners"))
ROOMS |= {"sdb", "states", "tops", "wheel"}
#: Packages of `compat` that are split into parts; stock's module names do not contain the part.
PARTS = {"utils": ("calls", "host", "net", "programs", "values")}
#: Files that have another name here, by stock's name.
FILES = {
    "salt._logging.impl": "salt_g.compat._logging",
    "salt.ext.ipaddress": "ipaddress",
    "salt.modules.cmdmod": "salt_g.compat.cmdmod",
    "salt.modules.pkg_resource": "salt_g.compat.private_names.pkg_resource",
    "salt.modules.x509_v2": "salt_g.modules.x509",
    "salt.states.git": "salt_g.compat.states_git",
    "salt.states.service": "salt_g.compat.private_names.states_service",
    "salt.states.x509_v2": "salt_g.states.x509",
    "salt.utils.datastructures": "salt_g.compat.utils.values.odict",
    "salt.utils.value": "salt_g.compat.utils.values.compat",
}


class ImportShim(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finder and loader of `salt` and its submodules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the import spec of a name below `salt`; None for other names and unsupported modules."""
        if fullname != STOCK and not fullname.startswith(f"{STOCK}."):
            return None
        found = _spec_of(fullname)
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(fullname, self, origin=found.name, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Create an empty module with stock's name."""
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module with the names of salt-g's module."""
        spec = module.__spec__
        _fill(module, str(spec and spec.origin))


def _fill(module: ModuleType, origin: str) -> None:
    """Fill a module of stock's name with the names of salt-g's module `origin`."""
    ours = importlib.import_module(origin)
    keep = {"__name__", "__spec__", "__loader__", "__package__", "__path__"}
    vars(module).update({name: value for name, value in vars(ours).items() if name not in keep})
    if hasattr(module, "__path__"):
        vars(module).setdefault("__getattr__", partial(_submodule, module.__name__))


def _submodule(package: str, name: str) -> ModuleType:
    """Import a submodule that a plugin uses without importing it; in stock, another import has loaded it."""
    if not name.startswith("_"):
        with contextlib.suppress(ModuleNotFoundError):
            return importlib.import_module(f"{package}.{name}")
    raise AttributeError(f"module {package!r} has no attribute {name!r} here")


def _spec_of(fullname: str) -> importlib.machinery.ModuleSpec | None:
    """Return the spec of salt-g's module for a stock name, either in `compat` or a plugin file."""
    below = fullname[len(STOCK) :]
    names = [FILES[fullname]] if fullname in FILES else _names_in_compat(below[1:])
    if below[1:].partition(".")[0] in ROOMS:
        names.append(f"salt_g{below}")
    for name in names:
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            continue
        if found is not None:
            return found
    return None


def _names_in_compat(below: str) -> list[str]:
    """Return the possible names, in `compat`, of the module for a stock name below `salt`."""
    package, _, module = below.partition(".")
    if module and package in PARTS:
        return [f"{OURS}.{package}.{part}.{module}" for part in PARTS[package]]
    return [f"{OURS}.{below}" if below else OURS]


def take_over(package: ModuleType) -> None:
    """Serve imports of `salt` through the package that `salt-g pip` installs for users' programs."""
    install()
    _fill(package, OURS)


def install() -> None:
    """Install the finder, once."""
    if not any(isinstance(finder, ImportShim) for finder in sys.meta_path):
        sys.meta_path.insert(0, ImportShim())
