"""Frozen salt-g: a directory that needs no installed Python.

Users' modules are loaded at run time, so it contains the whole standard library and all plugin rooms.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

#: Excluded modules of the standard library, for graphics, other systems and Python's own tests.
LEFT_OUT = (
    *("tkinter", "turtle", "turtledemo", "idlelib", "test", "lib2to3", "ensurepip", "pydoc_data"),
    *("msilib", "winreg", "winsound", "msvcrt"),
)
#: Libraries whose use PyInstaller does not detect.
_WHOLE = ("jinja2", "ruamel.yaml", "zmq.green", "gevent")
#: Packages of salt-g that are outside of `salt_g` in a checkout.
_ROOMS = ("modules", "states", "grains")
_HERE = pathlib.Path(__file__).parent


def freeze(directory: pathlib.Path) -> pathlib.Path:
    """Build the frozen program `salt-g` below `directory`; return its directory.

    Raises subprocess.CalledProcessError if PyInstaller fails, with its reasons on standard error, and
    RuntimeError if rooms are missing from the result.
    """
    # PyInstaller searches the script's own directory first. In a checkout the package there lacks `_ROOMS`,
    # which only an installation puts in place. So the script is copied, and Python ignores the checkout (-I).
    script = shutil.copy(_HERE / "program.py", directory)
    words = [
        *(sys.executable, "-I", "-m", "PyInstaller", "--noconfirm", "--onedir", "--strip"),
        *("--log-level", "ERROR"),
        *("--name", "salt-g", "--distpath", str(directory / "dist")),
        *("--workpath", str(directory / "work"), "--specpath", str(directory)),
        *(f"--collect-submodules={name}" for name in _WHOLE),
        *("--additional-hooks-dir", str(_HERE / "hooks")),
        *(f"--hidden-import={name}" for name in standard_library()),
        *(f"--exclude-module={name}" for name in LEFT_OUT),
        str(script),
    ]
    subprocess.run(words, check=True, cwd=directory)
    made = directory / "dist" / "salt-g"
    if missing := [room for room in _ROOMS if not any(made.glob(f"**/salt_g/{room}/__init__.py"))]:
        raise RuntimeError(
            f"{made} lacks {', '.join(missing)}: install salt-g into this environment as a wheel"
        )
    return made


def standard_library() -> list[str]:
    """Return the names of the standard library modules that users may import here."""
    return sorted(
        name for name in sys.stdlib_module_names if name not in LEFT_OUT and not name.startswith("_")
    )
