"""Scripts in /etc/init.d and the links by which runlevels start them.

Source: LSB, "System Initialization"; update-rc.d(8).
"""

from __future__ import annotations

import glob
import os
import re

from salt_g.modules._programs import is_installed, run

#: Directory of the scripts.
DIRECTORY = "/etc/init.d"


def below(path: str, root: str | None) -> str:
    """Return a path below another root directory, unchanged if `root` is None."""
    return os.path.join(root, path.lstrip("/")) if root else path


def scripts(root: str | None = None) -> list[str]:
    """Return the names of all files in the directory of scripts except the README."""
    directory = below(DIRECTORY, root)
    if not os.path.isdir(directory):
        return []
    return sorted(name for name in os.listdir(directory) if name != "README")


def executable_scripts(root: str | None = None) -> list[str]:
    """Return the names of the executable scripts."""
    directory = below(DIRECTORY, root)
    return [name for name in scripts(root) if os.access(os.path.join(directory, name), os.X_OK)]


def runlevel() -> str:
    """Return the current runlevel, 2 (Debian's default) if unknown."""
    words = run(["runlevel"])["stdout"].split() if is_installed("runlevel") else []
    return words[1] if len(words) > 1 else "2"


def is_enabled(name: str, level: str, root: str | None = None) -> bool:
    """Return whether a runlevel starts a script."""
    links = glob.glob(below(f"/etc/rc{level}.d/S*{glob.escape(name)}", root))
    return any(re.fullmatch(r"S\d{,2}" + re.escape(name), os.path.basename(link)) for link in links)
