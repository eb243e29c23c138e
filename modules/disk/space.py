"""File system usage, as `df` reports it.

Shapes: by mount point; numbers stay text, as in stock.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from salt_g.api import call
from salt_g.errors import CommandExecutionError

log = logging.getLogger(__name__)

#: Flags of `df` that may be passed on.
FLAGS = set("aBhHiklPtTxv")
USAGE = ("filesystem", "1K-blocks", "used", "available", "capacity")
INODES = ("filesystem", "inodes", "used", "free", "use")

Table = dict[str, dict[str, str]]


def usage(args: str | None = None) -> Table:
    """Return {mount point: {"filesystem", "1K-blocks", "used", "available", "capacity"}}, as text.

    `args` are flags of df as letters, without a dash (`hl`). Sizes are in KiB, unless a flag changes that.

    Example::

        salt-g disk.usage
    """
    return parse_df(_df("-P", _flags(args, "disk.usage")), USAGE)


def inodeusage(args: str | None = None) -> Table:
    """Return {mount point: {"filesystem", "inodes", "used", "free", "use"}}, as text.

    `args` are flags of df as letters, without a dash (`l`).

    Example::

        salt-g disk.inodeusage
    """
    return parse_df(_df("-iP", _flags(args, "disk.inodeusage")), INODES)


def percent(args: str | None = None) -> dict[str, str] | str:
    """Return {mount point: usage} (`42%`), or the usage of the mount point `args`, {} if it does not exist.

    Example::

        salt-g disk.percent /var
    """
    found = {point: row["capacity"] for point, row in parse_df(_df("-P"), USAGE).items()}
    if not args:
        return found
    if args not in found:
        log.error("partition %r does not exist", args)
        return {}
    return found[args]


def parse_df(listing: str, columns: Sequence[str]) -> Table:
    """Return the rows of `df -P` by mount point; device names may contain spaces."""
    found = {}
    for line in listing.splitlines():
        words = line.split()
        if not words or line.startswith("Filesystem"):
            continue
        while len(words) > 1 and not (words[1].isdigit() or words[1] == "-"):
            words[:2] = [f"{words[0]} {words[1]}"]
        if len(words) > 5:
            found[" ".join(words[5:])] = dict(zip(columns, words, strict=False))
    return found


def _df(*flags: str) -> str:
    return str(call("cmd.run", ["df", *(flag for flag in flags if flag)], python_shell=False))


def _flags(args: str | None, caller: str) -> str:
    if not args:
        return ""
    if not set(args) <= FLAGS:
        raise CommandExecutionError(f"Invalid flag passed to {caller}")
    return f"-{args}"
