"""Answer `import salt.…` of users' plugins from `salt_g.compat`.

Why its own file: it is the one import hook of salt-g. It is put in place when the first user's
plugin is loaded, and comes before an installed stock Salt, whose exceptions salt-g would not know.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

#: The name that users' plugins import, and the package that stands behind it.
STOCK, OURS = "salt", "salt_g.compat"
#: Rooms whose plugins users' plugins may import by stock's names, as in `salt.modules.file`.
ROOMS = ("beacons", "modules", "returners", "runners", "states")


class ImportShim(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and loads `salt` and what is below it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how to load a name below `salt`, None for any other name and for what we do not offer."""
        if fullname != STOCK and not fullname.startswith(f"{STOCK}."):
            return None
        found = _found(fullname)
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(fullname, self, origin=found.name, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return a module of stock's name."""
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Fill it with the names of ours."""
        spec = module.__spec__
        ours = importlib.import_module(str(spec and spec.origin))
        keep = {"__name__", "__spec__", "__loader__", "__package__", "__path__"}
        vars(module).update({name: value for name, value in vars(ours).items() if name not in keep})


def _found(fullname: str) -> importlib.machinery.ModuleSpec | None:
    """Return how the module of ours behind a stock name is loaded: one of `compat`, or a plugin file."""
    below = fullname[len(STOCK) :]
    names = [OURS + below]
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


def offer() -> None:
    """Put the finder in place, once."""
    if not any(isinstance(finder, ImportShim) for finder in sys.meta_path):
        sys.meta_path.insert(0, ImportShim())
