"""Freeze the installed salt-g into a directory that needs no Python.

Users' modules are read when the program runs, so it has all of the standard library, and all rooms.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys

#: Parts of the standard library that need a screen or another system, or are about Python's own tests.
LEFT_OUT = (
    *("tkinter", "turtle", "turtledemo", "idlelib", "test", "lib2to3", "ensurepip", "pydoc_data"),
    *("msilib", "winreg", "winsound", "msvcrt"),
)
#: Libraries of which PyInstaller cannot see that they are used.
_WHOLE = ("jinja2", "ruamel.yaml", "zmq.green", "gevent")
#: Packages of salt-g that lie elsewhere in a checkout.
_ROOMS = ("modules", "states", "grains")
_HERE = pathlib.Path(__file__).parent


def freeze(directory: pathlib.Path) -> pathlib.Path:
    """Return the directory of the program `salt-g`, made below `directory`.

    Raises subprocess.CalledProcessError when PyInstaller fails, which says why on standard error, and
    RuntimeError when what it made lacks rooms.
    """
    # PyInstaller looks first where the script's package is: in a checkout that one is without its rooms,
    # which only an installation brings together. So the script stands alone; Python sees no checkout (-I).
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
    """Return the names of the modules of the standard library that users may import here."""
    return sorted(
        name for name in sys.stdlib_module_names if name not in LEFT_OUT and not name.startswith("_")
    )
