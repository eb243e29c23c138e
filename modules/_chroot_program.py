"""Copy of this program in a directory below another root, and the words that start it there.

If the program is installed in a Python, its packages are copied and run by the `python3` of the other root,
which must be of the same version because some packages are compiled. The frozen program is copied as a whole
and needs no Python there.
"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import shutil
import sys

from salt_g.errors import CommandExecutionError
from salt_g.process.command import is_frozen

#: Packages of salt-g that a call without a master imports.
_PACKAGES = ("salt_g", "salt_g.modules", "salt_g.states", "salt_g.grains")
#: Libraries that such a call needs.
_LIBRARIES = ("jinja2", "markupsafe", "msgpack", "ruamel.yaml")
#: Compiled modules that it uses if they are installed.
_COMPILED = ("_ruamel_yaml", "psutil")
_START = (
    "import sys; here = sys.version_info[:2]; "
    "here == {version} or sys.exit('python3 %d.%d inside, but %d.%d outside' % (here + {version})); "
    "from salt_g.cli import main; main()"
)


def put(directory: str, inside: str) -> list[str]:
    """Copy the program to a directory, seen as `inside` in the other root; return the words to start it."""
    if is_frozen():
        shutil.copytree(os.path.dirname(sys.executable), os.path.join(directory, "program"))
        return [f"{inside}/program/{os.path.basename(sys.executable)}"]
    for name in (*_PACKAGES, *_LIBRARIES, *_COMPILED):
        _copy(name, pathlib.Path(directory, "packages"))
    start = _START.format(version=sys.version_info[:2])
    return ["env", f"PYTHONPATH={inside}/packages", "PYTHONDONTWRITEBYTECODE=1", "python3", "-c", start]


def _copy(name: str, top: pathlib.Path) -> None:
    """Copy a package or module, from wherever it is installed; optional ones may be missing."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        if name in _COMPILED:
            return
        raise CommandExecutionError(f"the package {name} of salt-g cannot be found to copy it")
    parent = top.joinpath(*name.split(".")[:-1])
    if spec.submodule_search_locations:
        target = parent / name.rpartition(".")[2]
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(
            next(iter(spec.submodule_search_locations)), target, ignore=ignored, dirs_exist_ok=True
        )
    elif spec.origin:
        parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(spec.origin, parent)
