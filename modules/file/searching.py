"""Searches for text in files: contains, contains_regex, contains_glob, search, grep."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
import shlex
from collections.abc import Iterator
from typing import Any

from salt_g.api import call
from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.file.flags import Flags, regex_flags
from salt_g.modules.file.replacing import check_editable

#: Size in characters of the overlapping search windows.
_WINDOW = 256 * 1024
_STEP = 32 * 1024


def contains(path: str, text: str) -> bool:
    """Return whether a file contains a text, from which surrounding white space is stripped.

    Example::

        salt-g file.contains /etc/crontab 'mymaintenance.sh'
    """
    wanted = str(text).strip()
    return any(wanted in window for window in windows(path))


def contains_glob(path: str, glob_expr: str) -> bool:
    """Return whether the content of a file matches a pattern with wildcards, as a whole.

    Example::

        salt-g file.contains_glob /etc/crontab '*cheese*'
    """
    return any(fnmatch.fnmatch(window, glob_expr) for window in windows(path))


def contains_regex(path: str, regex: str, lchar: str = "") -> bool:
    """Return whether a regular expression matches any line, from whose start `lchar` is stripped.

    Example::

        salt-g file.contains_regex /etc/crontab '^SHELL='
    """
    wanted = re.compile(regex)
    try:
        with open(os.path.expanduser(path), encoding="utf-8") as file:
            return any(wanted.search(line.lstrip(lchar) if lchar else line) for line in file)
    except OSError:
        return False


def search(
    path: str,
    pattern: str,
    flags: Flags = 8,
    bufsize: int | str = 1,
    ignore_if_missing: bool = False,
    multiline: bool = False,
) -> bool:
    """Return whether a regular expression matches anywhere in a file; a match can extend over several lines.

    `flags` are names or numbers of Python's `re` flags; the default is MULTILINE, which `multiline` adds to
    other ones. `bufsize` is ignored. Raises InvocationError for a binary file and, unless `ignore_if_missing`
    is set, for a missing one.

    Example::

        salt-g file.search /etc/crontab 'mymaintenance.sh'
    """
    wanted = regex_flags(flags) | (re.MULTILINE if multiline else 0)
    path = os.path.realpath(os.path.expanduser(path))
    if ignore_if_missing and not os.path.exists(path):
        return False
    check_editable(path)
    with open(path, "rb") as file:
        return re.search(pattern.encode(), file.read(), wanted) is not None


def grep(path: str, pattern: str, *opts: str) -> dict[str, Any]:
    """Run `grep` on a file (or several, by wildcard); each option is a separate argument.

    Returns the result of `cmd.run_all`.

    Example::

        salt-g file.grep /etc/sysconfig/network-scripts/ifcfg-eth0 ipaddr -- -i
    """
    path = os.path.expanduser(path)
    options: list[str] = []
    for given in opts:
        words = shlex.split(str(given))
        if len(words) > 1:
            raise InvocationError(
                "Passing multiple command line arguments in a single string is not supported, please pass "
                f"the following arguments separately: {given}"
            )
        options += words
    try:
        answer: dict[str, Any] = call(
            "cmd.run_all", ["grep", *options, pattern, *(glob.glob(path) or [path])], python_shell=False
        )
    except OSError as exc:
        raise CommandExecutionError(exc.strerror or str(exc)) from exc
    return answer


def windows(path: str) -> Iterator[str]:
    """Yield overlapping chunks of a file, so that matches across borders are found; none if it is missing."""
    try:
        with open(os.path.expanduser(path), encoding="utf-8", errors="surrogateescape") as file:
            window = file.read(_WINDOW)
            while window:
                yield window
                more = file.read(_STEP)
                window = window[_STEP:] + more if more else ""
    except OSError:
        return
