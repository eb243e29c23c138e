"""Freeze the installed salt-g into a directory that needs no Python.

Users' modules are read when the program runs, so it has all of the standard library, and all rooms.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

#: Parts of the standard library that need a screen or another system, or are about Python's own tests.
LEFT_OUT = (
    *("tkinter", "turtle", "turtledemo", "idlelib", "test", "lib2to3", "ensurepip", "pydoc_data"),
    *("msilib", "winreg", "winsound", "msvcrt"),
)
#: Libraries of which PyInstaller cannot see that they are used.
_WHOLE = ("jinja2", "ruamel.yaml", "zmq.green", "gevent")
_HERE = pathlib.Path(__file__).parent


def freeze(directory: pathlib.Path) -> pathlib.Path:
    """Return the directory of the program `salt-g`, made below `directory`.

    Raises subprocess.CalledProcessError when PyInstaller fails; it says why on standard error.
    """
    words = [
        *(sys.executable, "-m", "PyInstaller", "--noconfirm", "--onedir", "--strip", "--log-level", "ERROR"),
        *("--name", "salt-g", "--distpath", str(directory / "dist")),
        *("--workpath", str(directory / "work"), "--specpath", str(directory)),
        *(f"--collect-submodules={name}" for name in _WHOLE),
        *("--additional-hooks-dir", str(_HERE / "hooks")),
        *(f"--hidden-import={name}" for name in standard_library()),
        *(f"--exclude-module={name}" for name in LEFT_OUT),
        str(_HERE / "program.py"),
    ]
    subprocess.run(words, check=True, cwd=directory)
    return directory / "dist" / "salt-g"


def standard_library() -> list[str]:
    """Return the names of the modules of the standard library that users may import here."""
    return sorted(
        name for name in sys.stdlib_module_names if name not in LEFT_OUT and not name.startswith("_")
    )
