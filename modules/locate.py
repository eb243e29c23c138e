"""Lookups of files by name in the database of `locate`, and updates of that database.

Source: locate(1) of mlocate and plocate.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import own_arguments
from salt_g.modules._programs import run
from salt_g.modules._required import hint
from salt_g.process.command import which

#: Options without a value. Those that equal the default of the program are not passed.
_FLAGS = {
    "basename": "-b",
    "count": "-c",
    "existing": "-e",
    "ignore": "-i",
    "nofollow": "-P",
}


def __virtual__() -> bool | tuple[bool, str]:
    if which("locate"):
        return True
    return False, "The locate execution module cannot be loaded: there is no locate in the path." + hint(
        "locate"
    )


def version() -> list[str]:
    """Return the lines with which locate describes its version.

    Example::

        salt-g locate.version
    """
    return _lines(["locate", "-V"])


def stats() -> dict[str, str]:
    """Return the statistics of the database, {"database": path, "directories": "8,014", …}; plocate has none.

    Example::

        salt-g locate.stats
    """
    found = {}
    for line in _lines(["locate", "-S"]):
        words = line.strip().split()
        if words and line.startswith("Database"):
            found["database"] = words[1].removesuffix(":")
        elif len(words) > 1:
            found[" ".join(words[1:])] = words[0]
    return found


def updatedb() -> list[str]:
    """Update the database; return the output lines.

    Example::

        salt-g locate.updatedb
    """
    return _lines(["updatedb"])


def locate(pattern: str, database: str = "", limit: int = 0, **kwargs: Any) -> list[str]:
    """Return the paths that match a pattern.

    database
        Path of a database to use instead of the default.
    limit
        The largest number of paths; 0 for all.
    basename, count, existing, ignore, nofollow, regex
        Options of locate(1), given as True: compare the last part of the path only; return the number of
        matches; return only existing files; ignore case; do not follow links with `existing`; take the
        pattern as an extended regular expression.
    follow, wholename
        These are the defaults of locate(1), and change nothing.

    Example::

        salt-g locate.locate sshd_config basename=True
    """
    wanted = own_arguments(kwargs)
    words = [flag for name, flag in _FLAGS.items() if wanted.get(name)]
    words += ["--regex"] if wanted.get("regex") else []
    words += [f"--limit={limit}"] if limit else []
    words += [f"--database={database}"] if database else []
    return _lines(["locate", *words, "--", pattern])


def _lines(argv: list[str]) -> list[str]:
    """Return the output lines of a program, including its error output."""
    return run(argv, redirect_stderr=True)["stdout"].splitlines()
