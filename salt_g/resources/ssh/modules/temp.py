"""Temporary files and directories of the host, private to the user that functions run as."""

from __future__ import annotations

from salt_g.errors import CommandExecutionError
from salt_g.resources.ssh import _remote

#: Adds the suffix by a rename that replaces nothing, because BusyBox's mktemp does not support suffixes.
_MAKE = r"""
option=$1 parent=${2:-${TMPDIR:-/tmp}} prefix=$3 suffix=$4
umask 077
path=$(mktemp $option "$parent/${prefix}XXXXXX") || exit 1
if [ -n "$suffix" ]; then
    mv -n "$path" "$path$suffix" && [ ! -e "$path" ] || { rm -rf "$path"; exit 1; }
    path=$path$suffix
fi
printf %s "$path"
"""


def dir(suffix: str = "", prefix: str = "tmp", parent: str | None = None) -> str:
    """Create a directory below `parent` (default: the host's temporary directory); return its path.

    Example::

        salt-g web-01 temp.dir prefix=mytemp- parent=/var/run
    """
    return _made("-d", suffix, prefix, parent)


def file(suffix: str = "", prefix: str = "tmp", parent: str | None = None) -> str:
    """Create an empty file below `parent` (default: the host's temporary directory); return its path.

    Example::

        salt-g web-01 temp.file suffix=.txt
    """
    return _made("", suffix, prefix, parent)


def _made(option: str, suffix: str, prefix: str, parent: str | None) -> str:
    if "/" in suffix or "/" in prefix:
        raise CommandExecutionError("temp: prefix and suffix must not contain a slash")
    return _remote.output(_MAKE, option, (parent or "").rstrip("/"), prefix, suffix)
